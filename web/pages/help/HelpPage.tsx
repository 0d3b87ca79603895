import { t } from "@lingui/core/macro";
import { Anchor } from "@mantine/core";
import { lexer } from "marked";
import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import text from "../../../docs/guide/README.md?raw";
import { PageTitle } from "../common/PageTitle";
import { anchorOf, chaptersOf } from "./chapters";
import { Guide } from "./Guide";
import classes from "./HelpPage.module.css";
import { TourButton } from "./TourButton";

const tokens = lexer(text);
const chapters = chaptersOf(tokens);

const images = import.meta.glob<string>("../../../docs/guide/*.png", {
  query: "?url",
  import: "default",
  eager: true,
});
const imageUrl = (source: string): string | undefined => images[`../../../docs/guide/${source}`];

/** The user guide. It is part of the build, so it opens offline too. */
export function HelpPage() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <article className={classes.page}>
      <PageTitle>{t`Help`}</PageTitle>
      <nav className={classes.contents} aria-label={t`Chapters`}>
        {chapters.map((title) => (
          <Anchor key={title} component={Link} to={{ hash: anchorOf(title) }} size="sm">
            {title}
          </Anchor>
        ))}
        <TourButton />
      </nav>
      <Guide tokens={tokens} imageUrl={imageUrl} />
    </article>
  );
}
