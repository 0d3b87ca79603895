export function longSubjects(folder: string): { looked: number; long: { hash: string; subject: string }[] } | null;
