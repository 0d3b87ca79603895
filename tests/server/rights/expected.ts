import type { Fixture, Role, Thing } from "./fixture";
import type { Row } from "./matrix";

/** `live`, or what lies in the trash of what the request names. */
export type State = "live" | Thing;

/** The things that hold a thing: it disappears together with them. */
const HOLDERS: Partial<Record<keyof Fixture, readonly Thing[]>> = {
  dataset: ["dataset"],
  image: ["dataset", "image"],
  category: ["category"],
  annotation: ["dataset", "image", "annotation"],
  task: ["dataset"],
  export: ["dataset"],
  import: ["dataset"],
  dryRun: ["dataset"],
};

type Rights = Pick<Row, "may" | "inTrash" | "loginOff">;

/** The states that matter to a request, told by what of the fixture it uses. */
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

/** The status that somebody with this role is answered; undefined stands for anything but a refusal. */
export function expected(row: Rights, role: Role, state: State): number | undefined {
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
  if (role !== "member") return 404;
  if (may === "members") return undefined;
  return may === "taskOwners" ? 404 : 403;
}
