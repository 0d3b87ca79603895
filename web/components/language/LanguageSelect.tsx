import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { Languages } from "lucide-react";
import { useRef } from "react";
import { chooseLanguage, isLanguage, LANGUAGES, type Language, loadLanguage } from "../../languages/language";
import { useLanguage } from "../../languages/useLanguage";
import { hasTypedText } from "../forms/typedText";
import { useStillOpen } from "../forms/useStillOpen";
import { isInDialog } from "../isTyping";
import { showWarning, showWithAction } from "../messages/toast";

/**
 * Choice of the language of this browser. Each language is called by its own name, so that its users find it.
 * `labelId`: id of a visible label.
 */
export function LanguageSelect({ labelId }: { labelId?: string }) {
  const language = useLanguage();
  const isStillOpen = useStillOpen();
  const newest = useRef<Language>(undefined);
  const handleChange = async (wanted: Language) => {
    newest.current = wanted;
    const isLoaded = await loadLanguage(wanted);
    if (newest.current !== wanted) return;
    const name = LANGUAGES[wanted];
    const show = () => void chooseLanguage(wanted);
    if (!isLoaded) showWarning(t`Language`, t`${name} could not be loaded. Try again.`);
    // A change of language renders the whole page anew.
    else if (isStillOpen() && !hasTypedText() && !isInDialog()) show();
    else showWithAction(t`Language`, t`${name} is ready.`, { label: t`Show`, onClick: show, isUndo: false });
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={labelId ? undefined : t`Language`}
      aria-labelledby={labelId}
      leftSection={<Languages size={15} aria-hidden />}
      value={language}
      onChange={({ currentTarget: { value } }) => isLanguage(value) && void handleChange(value)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
