import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { isComposing } from "../../../components/isComposing";
import classes from "./ChoiceList.module.css";

/** One entry of a list that is searched by typing. */
export interface Choice {
  /** Unique in the list. */
  id: string;
  /** Heading above the first choice of a group; empty for none. */
  group?: string;
  content: ReactNode;
  run: () => void;
}

interface Props {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  choices: readonly Choice[];
  /** Text shown if there are no choices. */
  nothing: string;
  /** Shown below the choices, in place of `nothing`, while further ones are loading or could not be loaded. */
  pending?: ReactNode;
  isBusy?: boolean;
  onClose: () => void;
}

/**
 * Field with a list below it: typing searches, arrow keys move through the results, Enter or a click runs one. The
 * marked choice stays marked when others are added or removed above it, so that Enter runs what the user has seen.
 */
export function ChoiceList(props: Props) {
  const { label, placeholder, text, onText, choices, nothing, pending, isBusy, onClose } = props;
  const [marked, setMarked] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const active = choices.findIndex((choice) => choice.id === marked);
  // Marks the first choice of a new search, and if the marked one is gone.
  if (active < 0 && choices[0]) setMarked(choices[0].id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another choice is marked
  useEffect(() => {
    list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" });
  }, [active, text]);
  const move = (by: number) => setMarked(choices[(active + by + choices.length) % choices.length]?.id);
  const handleKeyDown = (event: KeyboardEvent) => {
    // Enter and arrow keys belong to an input method while it composes.
    if (isComposing(event.nativeEvent)) return;
    const act: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => !isBusy && choices[active]?.run(),
      Escape: onClose,
    };
    const run = act[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <>
      <input
        className={classes.field}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened it to type
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={choices[active] && `${id}-${active}`}
        aria-busy={isBusy}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setMarked(undefined);
          onText(event.currentTarget.value);
        }}
        onKeyDown={handleKeyDown}
      />
      <div ref={list} id={id} role="listbox" aria-label={label} className={classes.list}>
        {choices.map((choice, index) => (
          <Fragmented key={choice.id} heading={choice.group !== choices[index - 1]?.group ? choice.group : ""}>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classes.choice}
              onPointerMove={() => index !== active && setMarked(choice.id)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => !isBusy && choice.run()}
            >
              {choice.content}
            </div>
          </Fragmented>
        ))}
      </div>
      <div role="status">
        {pending ? (
          <div className={classes.nothing}>{pending}</div>
        ) : (
          choices.length === 0 && <p className={classes.nothing}>{nothing}</p>
        )}
      </div>
    </>
  );
}

function Fragmented({ heading, children }: { heading: string | undefined; children: ReactNode }) {
  return (
    <>
      {heading && (
        <div className={classes.heading} role="presentation">
          {heading}
        </div>
      )}
      {children}
    </>
  );
}
