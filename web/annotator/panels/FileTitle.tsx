import { ActionIcon, Tooltip } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import classes from "../Annotator.module.css";
import { useDocument, useEditor } from "../context";

/** The file's name between the ways to its neighbours in the list one came from. */
export function FileTitle() {
  const { actions } = useEditor();
  const image = useDocument((state) => state.image);
  return (
    <div className={classes.title}>
      <Tooltip label="Previous Image (P)" openDelay={300}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Previous Image"
          disabled={image.previous === null}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => actions.go("previous")}
        >
          <ChevronLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <div className={classes.fileName} title={image.path}>
        {image.file_name}
      </div>
      <Tooltip label="Next Image (N)" openDelay={300}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Next Image"
          disabled={image.next === null}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => actions.go("next")}
        >
          <ChevronRight size={18} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
