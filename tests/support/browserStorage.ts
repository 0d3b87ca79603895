// Before the first test file of each worker, also in those that store nothing: Dexie looks for a database once, as it is
// loaded, and later files of the same worker share it.
import "fake-indexeddb/auto";
