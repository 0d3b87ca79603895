import { t } from "@lingui/core/macro";
import { chooseLanguage, LANGUAGES, type Language, showLoaded } from "../../languages/language";
import { isOccupied } from "../isTyping";
import { showFailure, showWithAction } from "../messages/toast";

/** Aborts when another language is chosen. */
let choice = new AbortController();

/**
 * Shows the page in `language` as soon as its texts are loaded. A user who has gone on to something else by then is
 * asked first, because the page is rendered anew.
 */
export async function switchLanguage(language: Language): Promise<void> {
  choice.abort();
  choice = new AbortController();
  const { signal } = choice;
  const user = watchUser();
  const isLoaded = await chooseLanguage(language);
  user.stop();
  if (signal.aborted) return;
  const name = LANGUAGES[language];
  if (!isLoaded) showFailure(t`Language`, t`${name} could not be loaded. Check your connection, then choose it again.`);
  else if (!user.hasGoneOn()) showLoaded(language);
  else
    showWithAction(t`Language`, t`${name} is ready. Finish what you are typing first: the page will be loaded anew.`, {
      label: t`Show`,
      onClick: () => showLoaded(language),
      isUndo: false,
      until: signal,
    });
}

/** Watches if the user types, opens a dialog or goes to another page from now on. */
function watchUser() {
  const { pathname } = window.location;
  const focused = document.activeElement;
  const typing = new AbortController();
  let hasTyped = false;
  const handleInput = () => {
    hasTyped = true;
  };
  document.addEventListener("input", handleInput, { capture: true, signal: typing.signal });
  return {
    hasGoneOn: () =>
      hasTyped || window.location.pathname !== pathname || (isOccupied() && document.activeElement !== focused),
    stop: () => typing.abort(),
  };
}
