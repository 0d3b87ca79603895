/**
 * The direction of imports (docs/architecture.md). Type imports count. Nothing imports upward, no cycle anywhere:
 * neither of files nor of folders (scripts/folders.mjs finds those between a folder and the ones below it).
 */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from },
  to: { path: "^(shared|cli|model|workers|server|web|tests)/", pathNot: allowed },
});
const never = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });

/**
 * The rooms of `parent` from the ground up, each with the rooms it may import. A room is one folder without those below
 * it; `tools/*` stands for every folder in `tools`. A folder that is not named here may not import at all.
 */
function rooms(parent, table) {
  const files = (room) => `^${parent}/${room.replace("*", "[^/]+")}/[^/]+$`;
  const rules = Object.entries(table).map(([room, allowed]) => ({
    name: `room ${parent}/${room}`,
    severity: "error",
    from: { path: files(room) },
    to: { path: `^${parent}/.+/`, pathNot: [room, ...allowed.split(" ").filter(Boolean)].map(files) },
  }));
  const unnamed = {
    name: `rooms of ${parent} are named in .dependency-cruiser.cjs`,
    severity: "error",
    from: { path: `^${parent}/.+/`, pathNot: Object.keys(table).map(files) },
    to: { path: "." },
  };
  return [...rules, unnamed];
}

module.exports = {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    { name: "no-cycle-of-folders", severity: "error", scope: "folder", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^virtual:|[?]cached$" },
    },

    // Between the parts.
    only("shared-imports-nothing-of-ours", "^shared/", "^shared/"),
    only("cli-imports-shared", "^cli/", "^(cli|shared)/"),
    only("model-imports-shared", "^model/", "^(model|shared)/"),
    only("workers-import-model-and-shared", "^workers/", "^(workers|model|shared)/"),
    only("server-imports-model-and-shared", "^server/", "^(server|model|shared)/"),
    only("web-imports-workers-model-and-shared", "^web/", "^(web|workers|model|shared)/"),
    {
      name: "web-imports-workers-as-types-only",
      severity: "error",
      from: { path: "^web/" },
      to: { path: "^workers/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "shared-is-pure",
      severity: "error",
      from: { path: "^(shared|model)/", pathNot: "^model/(evaluate|training)/" },
      to: { dependencyTypes: ["core"] },
    },
    never("recipe-knows-no-evaluation", "^(model/dextr|workers|server|web)/", "^model/evaluate/"),

    // Inside shared: entities and constants below, api and edits above.
    never(
      "async-color-and-text-know-no-entities",
      "^shared/(async|color|text)/",
      "^shared/(?!async/|color/|text/|constants\\.ts)",
    ),
    never("entities-are-the-ground", "^shared/entities/", "^shared/(api|events|edits|rules|geometry|coco)/"),
    never("geometry-knows-no-annotation", "^shared/geometry/", "^shared/(api|events|edits|rules|coco)/"),
    never("wand-knows-pixels-and-outlines", "^shared/wand/", "^shared/(api|events|edits|rules)/"),
    never("scissors-know-pixels", "^shared/scissors/", "^shared/(api|events|edits|rules|coco)/"),
    never("coco-and-rules-below-edits-and-api", "^shared/(coco|rules)/", "^shared/(api|events|edits)/"),
    never("outlines-below-edits-and-api", "^shared/outlines/", "^shared/(api|events|edits|rules)/"),
    never("edits-below-api", "^shared/edits/", "^shared/(api|events)/"),

    // Inside the server: main, app; routes | tasks | sockets | cli; features, middleware; db, files, queue, live, onnx,
    // outside; base and threads.
    never(
      "routes-tasks-sockets-and-cli-do-not-import-upward",
      "^server/(routes|tasks|sockets|cli)/",
      "^server/(main|serve|app|worker|listen)\\.ts",
    ),
    never("routes-do-not-import-tasks-nor-sockets", "^server/routes/", "^server/(tasks|sockets|cli)/"),
    never("tasks-do-not-import-routes-nor-sockets", "^server/tasks/", "^server/(routes|sockets|cli)/"),
    never("sockets-do-not-import-routes-nor-tasks", "^server/sockets/", "^server/(routes|tasks|cli)/"),
    never("cli-does-not-import-what-serves", "^server/cli/", "^server/(routes|tasks|sockets)/"),
    never(
      "features-and-middleware-below-the-doors",
      "^server/(features|middleware)/",
      "^server/(routes|tasks|sockets|cli)/|^server/(main|serve|app|worker|listen)\\.ts",
    ),
    never("middleware-knows-no-feature", "^server/middleware/", "^server/features/"),
    never(
      "ways-out-below-features",
      "^server/(db|files|queue|live|onnx|outside|threads)/",
      "^server/(routes|tasks|sockets|cli|features|middleware)/|^server/(main|serve|app|worker|listen)\\.ts",
    ),
    never("ways-out-do-not-know-each-other", "^server/(files|onnx|outside|threads)/", "^server/(db|queue|live)/"),
    never("onnx-outside-and-threads-know-no-files", "^server/(onnx|outside|threads)/", "^server/files/"),
    never("db-below-all", "^server/db/", "^server/(files|queue|live|onnx|outside)/"),
    never("base-is-the-ground", "^server/base/", "^server/(?!base/)"),
    ...rooms("server/features", {
      passwords: "",
      access: "passwords",
      accounts: "access passwords",
      tasks: "",
      health: "",
      metrics: "health",
      measuring: "",
      images: "",
      bulk: "access images",
      categories: "access",
      datasets: "access bulk categories",
      "annotations/rows": "measuring",
      statistics: "annotations/rows images",
      "edits/plan": "annotations/rows measuring",
      edits: "edits/plan annotations/rows access images measuring",
      bodies: "annotations/rows edits measuring",
      scene: "annotations/rows categories datasets images measuring",
      offline: "datasets exports/coco scene",
      boxes: "access annotations/rows bulk edits",
      outlines: "",
      webhooks: "access",
      "webhooks/deliver": "tasks",
      sentScenes: "access annotations/rows scene",
      annotations: "annotations/rows access edits measuring sentScenes",
      olderClients: "access annotations annotations/rows bodies categories datasets edits measuring sentScenes",
      "imports/read": "measuring",
      "imports/formats": "",
      "imports/match": "imports/read access categories",
      "imports/store": "imports/formats imports/match imports/read access annotations/rows images measuring",
      "imports/undo": "imports/match imports/store annotations/rows",
      imports: "imports/formats imports/match imports/read imports/store imports/undo access",
      "exports/coco": "annotations/rows imports/match measuring",
      "exports/formats": "exports/coco annotations/rows imports/read",
      exports: "exports/coco exports/formats access annotations/rows imports imports/read",
      trash: "access annotations annotations/rows bulk datasets edits images imports/match imports/store",
    }),
    ...rooms("server/db", {
      rows: "",
      commands: "",
      migrations: "",
      dataFolder: "",
      backupFiles: "",
      embedded: "backupFiles dataFolder",
      open: "dataFolder embedded",
      backup: "backupFiles dataFolder embedded open",
    }),
    ...rooms("server/files", { paths: "", decode: "paths", store: "paths", zip: "paths" }),
    ...rooms("server/routes", { http: "", dataset: "http" }),

    // Inside the command line: main, run, help; commands; base.
    ...rooms("cli", { base: "", commands: "base" }),

    // Inside web: main, routes, pages; annotator; sync, queries; io, components.
    never("annotator-below-pages", "^web/annotator/", "^web/(pages/|main|routes)"),
    never("sync-and-queries-below-annotator", "^web/(sync|queries)/", "^web/(annotator|pages)/|^web/(main|routes)"),
    never("sync-and-queries-do-not-know-each-other", "^web/sync/", "^web/(queries|components)/"),
    never("queries-know-no-sync", "^web/queries/", "^web/sync/"),
    never("components-below-all-but-io", "^web/components/", "^web/(annotator|pages|sync|queries)/|^web/(main|routes)"),
    never(
      "io-is-the-ground",
      "^web/io/",
      "^web/(annotator|pages|offline|sync|queries|components|languages)/|^web/(main|routes)",
    ),
    never("languages-know-the-storage", "^web/languages/", "^web/(?!languages/|io/storage/)"),
    never(
      "offline-knows-io-and-sync",
      "^web/offline/",
      "^web/(annotator|pages|queries|components)/|^web/(main|routes)",
    ),
    never("sync-queries-and-components-know-no-offline", "^web/(sync|queries|components)/", "^web/offline/"),
    ...rooms("web/offline", {
      copy: "",
      download: "copy",
      answers: "copy",
    }),
    ...rooms("web/annotator", {
      state: "",
      "canvas/view": "",
      "canvas/shapes": "canvas/view",
      "canvas/active": "canvas/shapes canvas/view",
      "canvas/scene": "canvas/shapes canvas/view",
      "canvas/aids": "canvas/shapes canvas/view",
      canvas: "canvas/active canvas/aids canvas/scene canvas/shapes canvas/view",
      "keypoints/model": "canvas/shapes canvas/view",
      "document/subjects": "keypoints/model",
      document: "document/subjects keypoints/model state",
      keyboard: "state",
      preferences: "keyboard state",
      sync: "document",
      tree: "document keypoints/model state",
      "tools/common": "canvas canvas/active canvas/shapes canvas/view",
      "tools/dextr/states": "canvas/view tools/common",
      // Tools do not import each other: "common" is for all of them, "painting" for brush and eraser,
      // "corners" for box and ellipse, "points" for line and split.
      "tools/*":
        "canvas canvas/active canvas/shapes canvas/view tools/common tools/corners tools/dextr/states tools/painting tools/points",
      tools: "tools/*",
      keypoints: "keypoints/model canvas/shapes canvas/view document state tools/common",
      drawing: "canvas/active canvas/shapes canvas/view document preferences state tools/common",
      selected: "canvas/shapes canvas/view document drawing keypoints/model state tools/common",
      clipboard: "canvas/shapes canvas/view document document/subjects drawing keypoints/model selected state",
      actions:
        "canvas/shapes canvas/view clipboard document drawing keyboard keypoints preferences selected state tools tools/* tree",
      editor:
        "actions canvas canvas/active canvas/shapes canvas/view clipboard document drawing keyboard keypoints keypoints/model preferences selected state sync tools/common tree",
      import: "document editor",
      "ui/common": "editor keyboard",
      "ui/shortcuts": "editor keyboard",
      ui: "editor",
      "ui/messages": "editor ui/common",
      "ui/picker": "editor keyboard state tree ui/common",
      "ui/palette": "document editor keyboard state tree ui/common",
      "ui/attributes": "editor selected",
      "ui/conflicts": "",
      "ui/propagate": "clipboard document editor",
      "ui/dialogs":
        "state ui/conflicts ui/palette ui/propagate clipboard document editor import keypoints/model tools/keypoints ui/common ui/shortcuts",
      "ui/toolbar": "actions document drawing editor import keyboard preferences state tools ui/common",
      "ui/tour": "keyboard state ui/common",
      "ui/tree": "document editor keyboard keypoints/model state tools/keypoints tree ui/common",
      "ui/sidebar": "document editor keyboard tree ui/attributes ui/common ui/tree",
    }),
    {
      name: "tools-do-not-know-each-other",
      severity: "error",
      from: { path: "^web/annotator/tools/([^/]+)/" },
      to: { path: "^web/annotator/tools/[^/]+/", pathNot: "^web/annotator/tools/($1|common|corners|painting|points)/" },
    },
    ...rooms("web/pages", {
      common: "",
      offline: "",
      uploads: "",
      importReport: "",
      auth: "common",
      admin: "auth common",
      user: "auth common offline",
      annotate: "common offline",
      categories: "common",
      help: "common offline",
      review: "common",
      conflicts: "common",
      tasks: "common",
      undo: "common",
      "datasets/import": "importReport uploads",
      "datasets/demo": "datasets/import uploads",
      "datasets/dialogs": "",
      datasets: "datasets/demo datasets/dialogs datasets/import common offline",
      "dataset/filter": "",
      "dataset/statistics": "",
      "dataset/export": "common",
      "dataset/webhooks": "",
      "dataset/images/card": "",
      "dataset/images/view": "",
      "dataset/images/preview": "dataset/images/card",
      "dataset/images":
        "dataset/filter dataset/images/card dataset/images/preview dataset/images/view common offline uploads",
      "dataset/tasks": "dataset/export dataset/images common importReport tasks uploads",
      "dataset/sidebar": "dataset/filter dataset/tasks offline uploads",
      dataset:
        "dataset/export dataset/filter dataset/images dataset/sidebar dataset/statistics dataset/tasks dataset/webhooks datasets/dialogs common offline tasks uploads",
      "shell/navbar": "offline review uploads",
      "shell/notices": "offline review uploads shell/navbar",
      shell: "shell/navbar shell/notices common offline uploads",
    }),
    ...rooms("web/io", {
      http: "",
      images: "http",
      workers: "",
      storage: "http",
      journal: "http storage",
      live: "http",
      session: "http storage",
      dextr: "http storage workers",
    }),
    ...rooms("web/components", {
      lists: "",
      offline: "",
      messages: "lists offline",
      forms: "lists messages",
      tags: "forms messages",
      attributes: "forms",
      keypoints: "forms",
    }),
    ...rooms("web/queries", { cache: "" }),
    ...rooms("web/sync", { journal: "", push: "journal", review: "journal push" }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      conditionNames: ["import", "node", "default", "types"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".css"],
    },
  },
};
