import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { lazyOrNothing } from "../../../components/late/lazyOrNothing";
import { endTour, tour } from "../../state/tour";

const Tour = lazyOrNothing(async () => (await import("./Tour")).Tour);

/** The current step of the tour; nothing while the tour is not shown. */
export function TourPlace() {
  const step = useStore(tour, (state) => state.step);
  return step === null ? null : <Tour step={step} />;
}

/** Ends the tour when the page is left, but not when it shows another image. */
export function useTourEnd(): void {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      // React's strict mode mounts each page twice at once.
      queueMicrotask(() => isOpen.current || endTour());
    };
  }, []);
}
