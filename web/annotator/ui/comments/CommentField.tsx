import { t } from "@lingui/core/macro";
import { Button, Group, Textarea } from "@mantine/core";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { MAX_COMMENT } from "../../../../shared/entities/comment";
import { readOnlyText } from "../../document/locks";
import { useDocument, useEditor } from "../../editor/context";
import classes from "./Comments.module.css";

interface Props {
  /** Key of the draft, which is kept when the field closes. */
  draft: string;
  /** Text of a comment that is being changed. */
  initial?: string;
  label: string;
  action: string;
  onSend: (text: string) => void;
  onCancel?: () => void;
}

/** Names of users that begin a mention: the text between `@` and the caret. */
const BEGUN = /(?:^|[^\w.@-])@([\w.-]*)$/;

/** Field for a comment. Ctrl + Enter sends it; `@` lists the users who may see the dataset. */
export function CommentField({ draft, initial = "", label, action, onSend, onCancel }: Props) {
  const { comments, ui } = useEditor();
  const [text, setText] = useState(comments.draftOf(draft) || initial);
  const [caret, setCaret] = useState(0);
  const [index, setIndex] = useState(0);
  const [isClosed, setClosed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const begun = BEGUN.exec(text.slice(0, caret))?.[1];
  const names = useNames(isClosed ? undefined : begun);
  const chosen = Math.min(index, names.length - 1);
  const change = (value: string) => {
    setText(value);
    comments.keepDraft(draft, value === initial ? "" : value);
  };
  const send = () => {
    if (text.trim() === "") return;
    // The user's role may have changed since the field was opened.
    if (!comments.mayWrite) return ui.showMessage(readOnlyText());
    comments.keepDraft(draft, "");
    setText("");
    onSend(text.trim());
  };
  const choose = (name: string) => {
    const start = caret - (begun?.length ?? 0);
    const after = `${text.slice(0, start)}${name} `;
    change(after + text.slice(caret));
    setClosed(true);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(after.length, after.length);
    });
  };
  const handleKey = (event: KeyboardEvent) => {
    const name = names[chosen];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (name !== undefined && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      choose(name);
    } else if (names.length > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setIndex((chosen + (event.key === "ArrowDown" ? 1 : names.length - 1)) % names.length);
    } else if (event.key === "Escape" && names.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setClosed(true);
    }
  };
  return (
    <div className={classes.write}>
      <Textarea
        ref={field}
        size="xs"
        autosize
        minRows={2}
        maxRows={8}
        dir="auto"
        maxLength={MAX_COMMENT}
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-controls={names.length > 0 ? id : undefined}
        aria-activedescendant={names.length > 0 ? `${id}-${chosen}` : undefined}
        data-autofocus
        autoFocus
        value={text}
        onChange={({ currentTarget }) => {
          change(currentTarget.value);
          setClosed(false);
          setIndex(0);
          setCaret(currentTarget.selectionStart);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={handleKey}
      />
      {names.length > 0 && (
        <div className={classes.names} id={id} role="listbox" aria-label={t`Users`}>
          {names.map((name, i) => (
            <div
              key={name}
              id={`${id}-${i}`}
              className={classes.name}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(name);
              }}
            >
              {name}
            </div>
          ))}
        </div>
      )}
      <Group gap="xs" justify="flex-end" mt={6}>
        {onCancel && (
          <Button size="compact-xs" variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        )}
        <Button size="compact-xs" disabled={text.trim() === ""} onClick={send}>
          {action}
        </Button>
      </Group>
    </div>
  );
}

/** Returns up to eight users whose names begin with a text. */
function useNames(begun: string | undefined): string[] {
  const { username } = useEditor().parts;
  const dataset = useDocument((state) => state.dataset);
  if (begun === undefined || username === null) return [];
  const all = new Set([...(dataset.owner === null ? [] : [dataset.owner]), ...dataset.users]);
  all.delete(username);
  return [...all].filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, 8);
}
