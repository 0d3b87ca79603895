import type { MouseEvent, ReactNode } from "react";

interface Props {
  /** Address of the annotator; without it, only the content is shown. */
  href: string | undefined;
  className: string | undefined;
  onOpen: () => void;
  title?: string;
  /** True for a link that repeats another one, so that the keyboard and screen readers skip it. */
  isRepeated?: boolean;
  /** Id of the image whose card the link represents when keys move the focus. */
  cardId?: number;
  /** Id of the image that the link shows as a picture, which can be previewed. */
  pictureId?: number;
  children: ReactNode;
}

/**
 * Link to the annotator. Unlike the router's Link, it is not rendered again with every change of the page's address,
 * because a page has a hundred such links.
 */
export function ImageLink({ href, className, onOpen, title, isRepeated, cardId, pictureId, children }: Props) {
  const hidden = isRepeated && ({ tabIndex: -1, "aria-hidden": true } as const);
  if (href === undefined)
    return (
      <span className={className} title={title} data-card-picture={pictureId} aria-hidden={isRepeated}>
        {children}
      </span>
    );
  const handleClick = (event: MouseEvent) => {
    if (event.defaultPrevented || !isPlain(event)) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      href={href}
      className={className}
      title={title}
      data-card-link={cardId}
      data-card-picture={pictureId}
      onClick={handleClick}
      {...hidden}
    >
      {children}
    </a>
  );
}

/** Returns false for clicks that open a new tab or window, or download. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
