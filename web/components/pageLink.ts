import { useEffect } from "react";
import { create } from "zustand";

/** A link that a page puts into the navigation bar: on the annotator, the dataset of the image. */
interface PageLink {
  label: string;
  to: string;
}

const usePageLinkStore = create<{ link: PageLink | null }>(() => ({ link: null }));

export const usePageLink = (): PageLink | null => usePageLinkStore((state) => state.link);

/** Shows `label` in the navigation bar while the page stands; nothing while it is not known yet. */
export function useShowPageLink(label: string | undefined, to: string): void {
  useEffect(() => {
    usePageLinkStore.setState({ link: label ? { label, to } : null });
    return () => usePageLinkStore.setState({ link: null });
  }, [label, to]);
}
