/** Headers that our own pages send with every call. Names are in lower case, as Node.js has them. */

/** Header that proves that a call comes from one of our pages: no page of another site can set it. */
export const FROM_PAGE = { name: "x-requested-with", value: "limn" } as const;

/**
 * Id of the installation whose ids the call names. Where it is another one now, the call is answered with 409 and the
 * code `other_installation`.
 */
export const INSTALLATION_HEADER = "x-limn-installation";

/**
 * Id of a command, made by the caller: a command that is sent again with the same id, because no response came, is done
 * once and answered again.
 */
export const COMMAND_HEADER = "x-limn-command";
