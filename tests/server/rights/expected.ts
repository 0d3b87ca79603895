import { type MemberRole, memberRole, rolesFrom } from "../../../shared/entities/member";
import type { Fixture, Role, Thing } from "./fixture";
import type { May, Row } from "./matrix";

/** `live`, or the thing named in the request that is in the trash. */
export type State = "live" | Thing;

/** Things whose deletion also hides this thing. */
const HOLDERS: Partial<Record<keyof Fixture, readonly Thing[]>> = {
  dataset: ["dataset"],
  image: ["dataset", "image"],
  category: ["category"],
  annotation: ["dataset", "image", "annotation"],
  comment: ["dataset", "image"],
  task: ["dataset"],
  export: ["dataset"],
  version: ["dataset"],
  import: ["dataset"],
  dryRun: ["dataset"],
  webhook: ["dataset"],
  delivery: ["dataset"],
};

/** Lowest roles of members that may make a call. */
const LOWEST: Partial<Record<May, MemberRole>> = {
  members: "viewer",
  annotators: "annotator",
  maintainers: "maintainer",
  taskManagers: "maintainer",
};

type Rights = Pick<Row, "may" | "inTrash" | "loginOff">;

/** Returns the states that matter to a request: those of the fixture's things that it uses. */
export function statesOf({ request }: Row, fixture: Fixture): State[] {
  const used = new Set<Thing>();
  const watched = new Proxy(fixture, {
    get(target, name, receiver) {
      for (const thing of HOLDERS[name as keyof Fixture] ?? []) used.add(thing);
      return Reflect.get(target, name, receiver);
    },
  });
  request?.(watched);
  return ["live", ...used];
}

/** Returns the status expected for this role. Undefined means anything but a refusal. */
export function expectedStatus(row: Rights, role: Role, state: State): number | undefined {
  const live = refusal(row, role);
  const isDecidedBefore = live === 401 || row.loginOff === live || (row.may === "admins" && live === 403);
  if (state === "live" || row.may === "everybody" || (live !== undefined && isDecidedBefore)) return live;
  const answer = row.inTrash?.[state] ?? 404;
  if (answer === "as live") return live;
  return answer === 404 ? 404 : (live ?? answer);
}

function refusal({ may, loginOff }: Rights, role: Role): number | undefined {
  if (role === "login off") return loginOff ?? (may === "admins" ? 403 : undefined);
  if (may === "everybody") return undefined;
  if (role === "visitor" || role === "deleted account") return 401;
  if (may === "admins") return role === "admin" ? undefined : 403;
  if (may === "owner") return role === "owner" ? undefined : 404;
  if (may === "users" || role === "owner" || role === "admin") return undefined;
  const member = memberRole.safeParse(role).data;
  if (!member) return 404;
  const lowest = LOWEST[may];
  if (lowest && rolesFrom(lowest).includes(member)) return undefined;
  return may === "taskManagers" ? 404 : 403;
}
