import type { LocalAnswers } from "../io/http/localAnswers";
import type { LocalImages } from "../io/images/imageAddress";
import { journalName, type Owner } from "../io/journal/journalName";
import { Journal } from "../sync/journal/journal";
import { answersOf } from "./answers/answersOf";
import { copiesOf } from "./copies";
import { localImagesOf } from "./imageAddress";

/** Sources of local data, for the calls and images of one user. */
export interface Offline {
  answers: LocalAnswers;
  images: LocalImages;
  close: () => void;
}

/** Opens the user's copies in this tab. */
export function openOffline(owner: Owner): Offline {
  const copies = copiesOf(owner);
  const answers = answersOf(copies, new Journal(journalName(owner)), owner.username);
  const images = localImagesOf(copies.store);
  return {
    answers,
    images,
    close: () => {
      answers.close();
      images.close();
    },
  };
}
