import { createStore } from "zustand/vanilla";

/**
 * The tour of the annotator: the index of its step, or null while the tour is not shown. Kept in memory only, so that
 * the tour never comes back by itself. The tour continues when another image is opened.
 */
export const tour = createStore<{ step: number | null }>(() => ({ step: null }));

export const startTour = (): void => tour.setState({ step: 0 });
export const endTour = (): void => tour.setState({ step: null });
