/** Keys of the query cache. A prefix matches all keys that start with it. */
export const INFO_KEY = ["info"] as const;
export const USER_KEY = ["user"] as const;
export const TOKENS_KEY = ["tokens"] as const;
export const ACCOUNTS_KEY = ["accounts"] as const;
export const TASKS_KEY = ["tasks"] as const;
export const DATASETS_KEY = ["datasets"] as const;
export const CATEGORIES_KEY = ["categories"] as const;
export const UNDO_KEY = ["undo"] as const;
export const datasetKey = (id: number) => ["dataset", id] as const;
export const WORK_KEY = ["work"] as const;
export const COMMENTS_KEY = ["comments"] as const;
