import { createStore } from "zustand/vanilla";

/**
 * The tour of the annotator: the number of its step, or null while it is not shown. In memory only, so that it never comes
 * back by itself; it continues when another image is opened.
 */
export const tour = createStore<{ step: number | null }>(() => ({ step: null }));

export const startTour = (): void => tour.setState({ step: 0 });
export const endTour = (): void => tour.setState({ step: null });
