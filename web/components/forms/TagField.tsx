import { TagsInput } from "@mantine/core";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { LoadErrorLine } from "../messages/LoadError";
import { leftText } from "./leftText";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";

/** An answer of names. `previous`: those of the text before, which are offered until the answer is there. */
type Names =
  | { state: "loading"; previous: { readonly look: readonly string[] } | undefined }
  | { state: "failed"; error: Error; retry: () => unknown }
  | { state: "here"; data: readonly string[] };

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (names: string[]) => void;
  /** The known names. */
  suggestions: Names;
  placeholder?: string;
  /** Kind of thing that an unknown name creates, e.g. "category". A prefix of a known name is then taken on Enter alone. */
  makes?: string;
  /** Told what is being typed. */
  onSearch?: (text: string) => void;
}

const BY_NAME = new Intl.Collator();
/** Nothing is offered while nothing is known, and nothing is decided by that. */
const NOT_KNOWN: readonly string[] = [];

/**
 * Names as tags: Enter or a comma adds, Backspace in the empty field takes the last; no name twice. What is typed and
 * left is added as well; but see `makes`.
 */
export function TagField({ label, description, value, onChange, suggestions, placeholder, makes, onSearch }: Props) {
  const [typed, setTyped] = useState("");
  const [question, setQuestion] = useState("");
  /** Text was left that waits for the known names. */
  const [isWaiting, setWaiting] = useState(false);
  const error = isWaiting ? waitingText(suggestions) : question;
  const [isListOpen, setListOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.setCustomValidity(error), [error]);
  const isFocused = useRef(false);
  const names = suggestions.state === "here" ? suggestions.data : undefined;
  const known = names?.join("\n");
  const offered = names ?? ((suggestions.state === "loading" && suggestions.previous?.look) || NOT_KNOWN);
  const offeredText = offered.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names in another array are nothing new
  const sorted = useMemo(() => [...new Set(offered)].sort(BY_NAME.compare), [offeredText]);
  // Of many tags one types to find some: that is no new name yet.
  const isTaken = value.length <= SHOWN_AT_MOST;
  const handleType = (text: string) => {
    setTyped(text);
    setQuestion("");
    setWaiting(false);
    onSearch?.(text);
  };
  const takeTyped = () => {
    if (!isTaken || !makes || typed.trim() === "") return;
    if (!names) return setWaiting(true);
    const left = leftText(typed, names);
    if (!left) return;
    if ("ask" in left) return setQuestion(`Press Enter to create the new ${makes} “${left.ask}”, or clear it.`);
    handleType("");
    if (!value.some((name) => name.toLowerCase() === left.take.toLowerCase())) onChange([...value, left.take]);
  };
  const handleBlur = () => {
    isFocused.current = false;
    takeTyped();
  };
  // Text that was left before the known names were here is taken, or asked about, as they come.
  const handleKnown = useEffectEvent(() => {
    setWaiting(false);
    if (isFocused.current) return;
    setQuestion("");
    takeTyped();
  });
  useEffect(() => {
    if (known !== undefined) handleKnown();
  }, [known]);
  return (
    <div>
      <TagsInput
        ref={input}
        label={label}
        description={description}
        value={value}
        onChange={(names) => {
          onChange(names.map((name) => name.trim()).filter(Boolean));
          // It may lie over the form's button, and a click there would add a name that nobody meant.
          setListOpen(false);
        }}
        dropdownOpened={isListOpen}
        onDropdownOpen={() => setListOpen(true)}
        onDropdownClose={() => setListOpen(false)}
        data={sorted}
        placeholder={value.length === 0 ? placeholder : undefined}
        searchValue={typed}
        onSearchChange={handleType}
        onFocus={() => {
          isFocused.current = true;
        }}
        onBlur={handleBlur}
        error={error}
        limit={SHOWN_AT_MOST}
        styles={{ pillsList: { maxHeight: "40vh", overflowY: "auto" } }}
        {...manyTags(
          value.map((name) => ({ value: name, label: name })),
          typed,
        )}
        clearable
        acceptValueOnBlur={isTaken && !makes}
        aria-busy={suggestions.state === "loading" && makes !== undefined}
      />
      {suggestions.state === "failed" && (
        <LoadErrorLine error={suggestions.error} onRetry={() => void suggestions.retry()} />
      )}
    </div>
  );
}

function waitingText({ state }: Names): string {
  return state === "failed" ? "The suggestions could not be loaded." : "Loading the suggestions";
}
