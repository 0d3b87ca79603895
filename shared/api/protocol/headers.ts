/** Headers that our own pages send with every call. Names are in lower case, as in Node.js. */

/** Proves that a call comes from one of our pages: a page of another site cannot set it. */
export const FROM_PAGE = { name: "x-requested-with", value: "limn" } as const;

/**
 * Id of the installation that the ids in the call belong to. If the server's installation is another one, the response
 * is 409 with the code `other_installation`.
 */
export const INSTALLATION_HEADER = "x-limn-installation";

/**
 * Id of the user whom the calling page shows. If another user is logged in, the response is 409 with the code
 * `other_user`: their login in another tab has replaced the cookie.
 */
export const USER_HEADER = "x-limn-user";

/**
 * Id of a command, chosen by the caller. A command that is repeated with the same id because no response arrived is
 * done only once, and gets the same response.
 */
export const COMMAND_HEADER = "x-limn-command";
