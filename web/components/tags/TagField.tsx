import { t } from "@lingui/core/macro";
import { TagsInput } from "@mantine/core";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { compareNaturally, isSameName } from "../../../shared/text/fold";
import { LoadErrorLine } from "../messages/LoadError";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";
import classes from "./manyTags.module.css";
import { resolveTypedTag } from "./typedTag";

/**
 * State of the suggestions' query. `previous` holds the suggestions for the previous text, offered until the new ones
 * load.
 */
type Suggestions =
  | { state: "loading"; previous: { readonly data: readonly string[] } | undefined }
  | { state: "failed"; error: Error; retry: () => unknown }
  | { state: "loaded"; data: readonly string[] };

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (names: string[]) => void;
  /** Known names. */
  suggestions: Suggestions;
  placeholder?: string;
  /**
   * Returns the question if a new name is to be created. If set, a prefix of a known name is added only on Enter.
   */
  creates?: (name: string) => string;
  /** Called with the text that is being typed. */
  onSearch?: (text: string) => void;
}

const NO_NAMES: readonly string[] = [];

/**
 * Input for a list of names, shown as tags. Enter or a comma adds a name, Backspace in the empty field removes the last
 * one; duplicates are ignored. Text left in the field is added too, except as described at `creates`.
 */
export function TagField({ label, description, value, onChange, suggestions, placeholder, creates, onSearch }: Props) {
  const [typed, setTyped] = useState("");
  const [question, setQuestion] = useState("");
  /** True while text left in the field waits for the known names to load. */
  const [isWaiting, setWaiting] = useState(false);
  const error = isWaiting ? waitingText(suggestions) : question;
  const [isListOpen, setListOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.setCustomValidity(error), [error]);
  const isFocused = useRef(false);
  const names = suggestions.state === "loaded" ? suggestions.data : undefined;
  const known = names?.join("\n");
  const offered = names ?? ((suggestions.state === "loading" && suggestions.previous?.data) || NO_NAMES);
  const offeredText = offered.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the names, not on the identity of their array
  const sorted = useMemo(() => [...new Set(offered)].sort(compareNaturally), [offeredText]);
  // With very many tags, typing searches them, so text left in the field is not a new name.
  const addsLeftText = value.length <= SHOWN_AT_MOST;
  const handleType = (text: string) => {
    setTyped(text);
    setQuestion("");
    setWaiting(false);
    onSearch?.(text);
  };
  const addTyped = () => {
    if (!addsLeftText || !creates || typed.trim() === "") return;
    if (!names) return setWaiting(true);
    const tag = resolveTypedTag(typed, names);
    if (!tag) return;
    if ("confirm" in tag) return setQuestion(creates(tag.confirm));
    handleType("");
    if (!value.some((name) => isSameName(name, tag.add))) onChange([...value, tag.add]);
  };
  const handleBlur = () => {
    isFocused.current = false;
    addTyped();
  };
  // Handles text that was left in the field before the known names were loaded.
  const handleKnown = useEffectEvent(() => {
    setWaiting(false);
    if (isFocused.current) return;
    setQuestion("");
    addTyped();
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
          // An open list may cover the form's button, and a click there would add a name by mistake.
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
        classNames={{ pillsList: classes.list }}
        {...manyTags(
          value.map((name) => ({ value: name, label: name })),
          typed,
        )}
        clearable
        acceptValueOnBlur={addsLeftText && !creates}
        aria-busy={suggestions.state === "loading" && creates !== undefined}
      />
      {suggestions.state === "failed" && (
        <LoadErrorLine error={suggestions.error} onRetry={() => void suggestions.retry()} />
      )}
    </div>
  );
}

function waitingText({ state }: Suggestions): string {
  return state === "failed" ? t`The suggestions could not be loaded.` : t`Loading suggestions…`;
}
