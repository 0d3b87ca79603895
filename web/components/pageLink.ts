import { useEffect } from "react";
import { create } from "zustand";

/** A link that a page adds to the navigation bar, e.g. from the annotator to the image's dataset. */
interface PageLink {
  label: string;
  to: string;
}

const usePageLinkStore = create<{ link: PageLink | null }>(() => ({ link: null }));

export const usePageLink = (): PageLink | null => usePageLinkStore((state) => state.link);

/** Shows a link in the navigation bar while the page is mounted; none while `label` is still undefined. */
export function useShowPageLink(label: string | undefined, to: string): void {
  useEffect(() => {
    usePageLinkStore.setState({ link: label ? { label, to } : null });
    return () => usePageLinkStore.setState({ link: null });
  }, [label, to]);
}
