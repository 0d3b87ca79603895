/** `/annotate/{id}`: the annotator. */
export function AnnotatePage() {
  return null;
}
