import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { MemberRole } from "../../../../shared/entities/member";

/** Names of the roles, and what members of each role may do besides what those before it may. */
export const ROLE_TEXTS: Record<MemberRole, { name: MessageDescriptor; may: MessageDescriptor }> = {
  viewer: { name: msg`Viewer`, may: msg`looks at everything and changes nothing` },
  annotator: { name: msg({ message: "Annotator", context: "role" }), may: msg`annotates, uploads and imports` },
  reviewer: { name: msg`Reviewer`, may: msg`also accepts images and returns them` },
  maintainer: { name: msg`Maintainer`, may: msg`also exports, and manages members, settings and images` },
};
