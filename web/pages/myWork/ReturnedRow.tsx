import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { ReturnedImage } from "../../../shared/api/work";
import { agoText } from "../../components/agoText";
import { QUEUED } from "../queue/queued";
import classes from "./Work.module.css";

/** An image that a reviewer has returned, with the open comments on it. Each opens the image, at the comment's pin. */
export function ReturnedRow({ image }: { image: ReturnedImage }) {
  const { id, file_name, dataset, returned_by, returned_at, comments } = image;
  const path = `/annotate/${id}?${QUEUED}`;
  const time = returned_at ? agoText(returned_at) : "";
  return (
    <li className={classes.row}>
      <Link to={path} className={classes.name}>
        <bdi>{file_name}</bdi>
      </Link>
      <span className={classes.about}>
        <bdi>{dataset}</bdi>
        {returned_by && ` · ${t`Returned by ${{ user: returned_by }}, ${{ time }}`}`}
      </span>
      {comments.map(({ uuid, creator, text }) => (
        <Link key={uuid} to={`${path}#comment=${uuid}`} className={classes.comment} dir="auto">
          <bdi>{creator}</bdi>: {text}
        </Link>
      ))}
    </li>
  );
}
