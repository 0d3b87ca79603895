import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { Languages } from "lucide-react";
import { isLanguage, LANGUAGES } from "../../languages/language";
import { useLanguage } from "../../languages/useLanguage";
import { switchLanguage } from "./switchLanguage";

/**
 * Choice of the language of this browser. Each language is called by its own name, so that its users find it.
 * `labelId`: id of a visible label.
 */
export function LanguageSelect({ labelId }: { labelId?: string }) {
  const language = useLanguage();
  return (
    <NativeSelect
      size="xs"
      aria-label={labelId ? undefined : t`Language`}
      aria-labelledby={labelId}
      leftSection={<Languages size={15} aria-hidden />}
      value={language}
      onChange={({ currentTarget: { value } }) => isLanguage(value) && void switchLanguage(value)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
