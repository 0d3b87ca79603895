import { Anchor } from "@mantine/core";
import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import text from "../../docs/guide.md?raw";
import classes from "./HelpPage.module.css";
import { Guide } from "./help/Guide";
import { anchorOf, readBlocks } from "./help/markdown";
import { PageTitle } from "./shell/PageTitle";

const blocks = readBlocks(text);
const chapters = blocks.flatMap((block) => (block.kind === "heading" && block.level === 2 ? [block.text] : []));

const pictures = import.meta.glob<string>(["../../docs/images/*.png", "../../docs/guide/*.png"], {
  query: "?url",
  import: "default",
  eager: true,
});
const pictureUrl = (source: string): string | undefined => pictures[`../../docs/${source}`];

/** The guide, built into the application: it opens without the internet, and without the server. */
export function HelpPage() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <article className={classes.page}>
      <PageTitle>Help</PageTitle>
      <nav className={classes.contents} aria-label="Chapters">
        {chapters.map((title) => (
          <Anchor key={title} component={Link} to={{ hash: anchorOf(title) }} size="sm">
            {title}
          </Anchor>
        ))}
      </nav>
      <Guide blocks={blocks} pictureUrl={pictureUrl} />
    </article>
  );
}
