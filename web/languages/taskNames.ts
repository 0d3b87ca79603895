import { msg } from "@lingui/core/macro";

/** Names of tasks. */
export const taskNames = [
  msg({ message: "Exporting {name} in the format {format}" }),
  msg({ message: "Importing annotations in the format {format} into {name}" }),
  msg({ message: "Undo import of {file} into {name}" }),
  msg({ message: "Dry run of the import of {file} into {name}" }),
  msg({ message: "Keeping {name} as version {version}" }),
  msg({ message: "Outlining boxes of {name}" }),
  msg({ message: "Restoring boxes of {name}" }),
  msg({ message: "Checking the quality of {name}" }),
  msg({ message: "Fixing findings of {name}" }),
  msg({ message: "Undoing fixes of {name}" }),
  msg({ message: "Giving images of {name}" }),
  msg({ message: "Comparing images of {name}" }),
  msg({ message: "Scanning {name} for new images" }),
  msg({ message: "Generating images for {name}" }),
  msg({ message: "Deleting images of {name}" }),
  msg({ message: "Restoring images of {name}" }),
  msg({ message: "Moving images of {name}" }),
  msg({ message: "Labelling images of {name}" }),
  msg({ message: "Marking images of {name}" }),
  msg({ message: "Adding the images of {file} to {name}" }),
];
