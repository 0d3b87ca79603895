import type { Migration } from "kysely";
import { sql } from "kysely";

/** Creates the tables of users, datasets, images, annotations, edits and tasks. */
const statements = [
  `create table users (
    id serial primary key,
    username text not null check (username <> ''),
    name text not null default '',
    email text not null default '',
    password_hash text,
    is_admin boolean not null default false,
    preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object'),
    created_at timestamptz not null default now(),
    last_seen timestamptz
  )`,
  `create unique index users_username on users (lower(username))`,

  // Sessions of users who are logged in. The id is the SHA-256 of the cookie's token, so a copy of the table cannot be
  // used to log in.
  `create table sessions (
    id text primary key,
    user_id integer not null references users on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index sessions_user on sessions (user_id)`,

  `create table datasets (
    id serial primary key,
    name text not null check (name <> ''),
    folder text not null unique check (folder <> ''),
    owner_id integer references users on delete set null,
    annotate_url text not null default '',
    default_annotation_metadata jsonb not null default '{}' check (jsonb_typeof(default_annotation_metadata) = 'object'),
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    deleted_by integer references users on delete set null
  )`,
  `create unique index datasets_name on datasets (lower(name))`,
  `create index datasets_owner on datasets (owner_id)`,

  `create table dataset_members (
    dataset_id integer not null references datasets on delete cascade,
    user_id integer not null references users on delete cascade,
    primary key (dataset_id, user_id)
  )`,
  `create index dataset_members_user on dataset_members (user_id)`,

  // creator_name still names the creator after the account is deleted. keypoints: see shared/entities/keypoint.ts
  `create table categories (
    id serial primary key,
    name text not null check (name <> ''),
    supercategory text not null default '',
    color text not null check (color ~ '^#[0-9a-f]{6}$'),
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    keypoints jsonb not null default '{"labels":[],"edges":[],"removed":[]}' check (jsonb_typeof(keypoints) = 'object'),
    creator_id integer references users on delete set null,
    creator_name text not null default 'system',
    revision integer not null default 1,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    deleted_by integer references users on delete set null
  )`,
  `create unique index categories_name on categories (creator_id, lower(name))`,

  `create table dataset_categories (
    dataset_id integer not null references datasets on delete cascade,
    category_id integer not null references categories on delete cascade,
    primary key (dataset_id, category_id)
  )`,
  `create index dataset_categories_category on dataset_categories (category_id)`,

  // Collation "C" sorts by code unit, so that both databases agree and a folder is a contiguous range.
  // path is relative to the dataset's folder; folder is its directory part with a trailing slash, '' at the top.
  // orientation is the EXIF value of the stored file; width and height are those of the upright image.
  // labels are the category ids ticked in label mode. extra has the unknown keys of a COCO file (license, coco_url, …).
  `create table images (
    id serial primary key,
    dataset_id integer not null references datasets on delete cascade,
    path text collate "C" not null check (path <> ''),
    folder text collate "C" not null,
    file_name text collate "C" not null check (file_name <> ''),
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    mime text not null,
    orientation smallint not null default 1 check (orientation between 1 and 8),
    bytes bigint not null,
    modified_ms bigint not null,
    hash text not null,
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    labels integer[] not null default '{}',
    extra jsonb not null default '{}' check (jsonb_typeof(extra) = 'object'),
    annotated boolean not null default false,
    num_annotations integer not null default 0 check (num_annotations >= 0),
    milliseconds bigint not null default 0,
    revision integer not null default 1,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    deleted_by integer references users on delete set null,
    unique (dataset_id, path)
  )`,
  `create index images_by_file_name on images (dataset_id, file_name, id) where deleted_at is null`,
  `create index images_by_path on images (dataset_id, path, id) where deleted_at is null`,
  `create index images_by_id on images (dataset_id, id) where deleted_at is null`,
  `create index images_by_folder on images (dataset_id, folder, id) where deleted_at is null`,
  `create index images_by_annotated on images (dataset_id, annotated, file_name, id) where deleted_at is null`,
  `create index images_by_label on images using gin (labels)`,
  `create index images_by_hash on images (dataset_id, hash)`,

  // Finds parts of file names by trigrams, if the extension is available and the database's user may create it.
  `do $$
  begin
    create extension if not exists pg_trgm;
    create index images_by_part_of_name on images using gin (file_name collate "default" gin_trgm_ops);
  exception when others then
    raise notice 'no index for parts of file names: %', sqlerrm;
  end $$`,

  // Only one open task may have the same key, e.g. 'scan:5'.
  `create table tasks (
    id serial primary key,
    kind text not null,
    name text not null,
    key text not null,
    payload jsonb not null default '{}',
    state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    progress double precision not null default 0 check (progress between 0 and 100),
    warnings integer not null default 0,
    errors integer not null default 0,
    result jsonb,
    creator_id integer references users on delete set null,
    dataset_id integer references datasets on delete cascade,
    worker text,
    attempts integer not null default 0,
    lease_until timestamptz,
    cancel_requested boolean not null default false,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz
  )`,
  `create unique index tasks_one_at_a_time on tasks (key) where state in ('queued', 'running')`,
  `create index tasks_open on tasks (id) where state in ('queued', 'running')`,
  `create index tasks_dataset on tasks (dataset_id)`,

  `create table task_logs (
    task_id integer not null references tasks on delete cascade,
    line integer not null,
    level text not null check (level in ('INFO', 'WARNING', 'ERROR')),
    text text not null,
    created_at timestamptz not null default now(),
    primary key (task_id, line)
  )`,

  // Annotations of an import stay invisible until its state is 'complete'.
  `create table imports (
    id serial primary key,
    dataset_id integer not null references datasets on delete cascade,
    task_id integer unique references tasks on delete set null,
    user_id integer references users on delete set null,
    file_name text not null,
    state text not null default 'running' check (state in ('running', 'complete', 'undone', 'failed')),
    report jsonb not null default '{}',
    created_at timestamptz not null default now()
  )`,
  `create index imports_dataset on imports (dataset_id)`,

  // shape: see shared/entities/shape.ts; null = none. keypoints: null = the file had none.
  // extra has the unknown keys of the COCO file. import_item is the number of the item in the imported file.
  // visible is false only until the row's import is complete.
  `create table annotations (
    id serial primary key,
    uuid uuid not null unique default gen_random_uuid(),
    image_id integer not null references images on delete cascade,
    category_id integer not null references categories on delete restrict,
    shape jsonb,
    area double precision not null default 0,
    bbox jsonb not null default '[0,0,0,0]' check (jsonb_typeof(bbox) = 'array' and jsonb_array_length(bbox) = 4),
    iscrowd boolean not null default false,
    isbbox boolean not null default false,
    color text not null check (color ~ '^#[0-9a-f]{6}$'),
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    keypoints jsonb check (keypoints is null or jsonb_typeof(keypoints) = 'array'),
    extra jsonb check (extra is null or jsonb_typeof(extra) = 'object'),
    creator_id integer references users on delete set null,
    creator_name text not null default 'system',
    milliseconds bigint not null default 0,
    revision integer not null default 1,
    import_id integer references imports on delete set null,
    import_item integer,
    visible boolean not null default true,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    deleted_by integer references users on delete set null,
    unique (import_id, import_item)
  )`,
  `create index annotations_image on annotations (image_id, id)`,
  `create index annotations_category on annotations (category_id, image_id)`,

  // A client is one tab of one user.
  `create table clients (
    id text primary key check (length(id) between 1 and 100),
    user_id integer references users on delete cascade,
    created_at timestamptz not null default now()
  )`,

  // The response to each edit, so that a repeated edit gets the first response again.
  `create table edits (
    uuid uuid primary key,
    client text not null references clients on delete cascade,
    answer jsonb not null,
    created_at timestamptz not null default now()
  )`,
  `create index edits_age on edits (created_at)`,

  // fields has the new values of the changed fields; the subject's previous row has the old ones. subject_id is an
  // annotation's uuid, otherwise the id as text. image_revision orders the changes of an image.
  `create table edit_history (
    id bigserial primary key,
    image_id integer references images on delete cascade,
    image_revision integer,
    subject text not null check (subject in ('annotation', 'image', 'category')),
    subject_id text not null,
    revision integer not null,
    action text not null check (action in ('create', 'modify', 'delete')),
    fields jsonb not null,
    edit uuid,
    client text,
    user_id integer references users on delete set null,
    user_name text not null default '',
    created_at timestamptz not null default now()
  )`,
  `create index edit_history_image on edit_history (image_id, image_revision)`,
  `create unique index edit_history_subject on edit_history (subject, subject_id, revision)`,

  // Revision of the last bulk write without history rows: clients with an older revision reload the image.
  `alter table images add column reload_revision integer not null default 0`,

  // Working time. Each session is counted once, however often a client sends it.
  `create table work_sessions (
    uuid uuid primary key,
    user_id integer references users on delete set null,
    image_id integer not null references images on delete cascade,
    annotation_uuid uuid,
    started_at timestamptz not null,
    milliseconds integer not null check (milliseconds between 0 and 86400000),
    tools jsonb not null default '[]'
  )`,
  `create index work_sessions_image on work_sessions (image_id)`,

  `create table exports (
    id serial primary key,
    dataset_id integer not null references datasets on delete cascade,
    task_id integer unique references tasks on delete set null,
    file text not null,
    bytes bigint not null,
    tags jsonb not null default '[]',
    created_at timestamptz not null default now()
  )`,
  `create index exports_dataset on exports (dataset_id, id)`,

  // Large Socket.IO payloads between processes that share one PostgreSQL.
  `create table socket_io_attachments (
    id bigserial primary key,
    created_at timestamptz default now(),
    payload bytea
  )`,
];

export const firstTables: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
