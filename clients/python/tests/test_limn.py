"""The client against a real Limn: LIMN_URL, LIMN_TOKEN, and PHOTOGRAPHS, a folder of images with photographs.json."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from limn_client import ConflictError, Limn, NotFoundError, TaskFailedError, UnauthorizedError, UnreachableError

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

URL = os.environ.get("LIMN_URL", "")
PHOTOGRAPHS = Path(os.environ.get("PHOTOGRAPHS", "."))
COCO = Path(os.environ.get("COCO", "photographs.json"))


@unittest.skipUnless(URL, "LIMN_URL is not set")
class AgainstLimn(unittest.TestCase):
    def setUp(self) -> None:
        self.limn = Limn()
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.count = len(list(PHOTOGRAPHS.iterdir()))

    def test_uploads_a_folder_once(self) -> None:
        dataset = self.limn.create_dataset("uploads", categories=["boat"])
        seen: list[int] = []
        report = dataset.upload(PHOTOGRAPHS, folder="more/inner", on_progress=lambda done, total: seen.append(total))
        self.assertEqual(report.count("added"), self.count)
        self.assertEqual(seen, [self.count] * self.count)
        self.assertEqual(dataset.upload(PHOTOGRAPHS, folder="more/inner").count("skipped"), self.count)
        broken = self.folder / "broken.jpg"
        broken.write_text("no image")
        refused = dataset.upload(broken).refused
        self.assertEqual([file.path for file in refused], ["broken.jpg"])
        self.assertTrue(refused[0].message)
        paths = [image.path for image in dataset.images(page_size=7)]
        self.assertEqual(len(paths), self.count)
        self.assertEqual(len(set(paths)), self.count)
        self.assertTrue(all(path.startswith("more/inner/") for path in paths))

    def test_imports_and_exports_the_same_annotations(self) -> None:
        dataset = self.limn.create_dataset("imports")
        dataset.upload(PHOTOGRAPHS)
        original = json.loads(COCO.read_text(encoding="utf8"))
        dry = dataset.import_annotations(COCO, dry_run=True)
        self.assertTrue(dry)
        dataset.import_annotations(original)
        exported = dataset.export(self.folder / "coco")
        coco = json.loads((exported / "annotations.json").read_text(encoding="utf8"))
        self.assertEqual(len(coco["annotations"]), len(original["annotations"]))
        self.assertEqual(len(dataset.coco()["annotations"]), len(original["annotations"]))
        by_image = sum(len(image.annotations()) for image in dataset.images(annotated=True))
        self.assertEqual(by_image, len(original["annotations"]))

        dataset.to_fiftyone(self.folder / "fiftyone")
        labels = json.loads((self.folder / "fiftyone" / "labels.json").read_text(encoding="utf8"))
        self.assertEqual(len(labels["images"]), self.count)
        for image in labels["images"]:
            self.assertTrue((self.folder / "fiftyone" / "data" / image["file_name"]).is_file())

        data = dataset.to_ultralytics(self.folder / "yolo", split=(80, 20, 0))
        text = data.read_text(encoding="utf8")
        self.assertTrue(text.startswith(f'path: "{(self.folder / "yolo").resolve()}"\n'))
        images = {path.stem for path in (self.folder / "yolo" / "images").rglob("*") if path.is_file()}
        outlines = {path.stem for path in (self.folder / "yolo" / "labels").rglob("*.txt")}
        self.assertEqual(images, outlines)
        self.assertEqual(len(images), self.count)

    def test_changes_annotations(self) -> None:
        dataset = self.limn.create_dataset("annotations", categories=["boat"])
        dataset.upload(next(PHOTOGRAPHS.iterdir()))
        (image,) = dataset.images()
        boat = self.limn.category_id("boat")
        made = image.add_annotation(boat, segmentation=[[10, 10, 50, 10, 50, 40, 10, 40]])
        self.assertEqual(made["area"], 1200)
        image.update_annotation(made["id"], metadata={"checked": True})
        (found,) = image.annotations()
        self.assertEqual(found["bbox"], [10, 10, 40, 30])
        if numpy is not None:
            mask = numpy.zeros((image.height, image.width), dtype=bool)
            mask[5:25, 5:15] = True
            self.assertEqual(image.add_annotation(boat, mask=mask)["area"], 200)
        image.delete_annotation(made["id"])
        self.assertNotIn(made["id"], [each["id"] for each in image.annotations()])
        copy = image.download(self.folder / "copy.jpg")
        self.assertEqual(copy.read_bytes(), (PHOTOGRAPHS / image.file_name).read_bytes())
        self.assertEqual([path.name for path in self.folder.iterdir()], ["copy.jpg"])

    def test_raises_an_error_of_the_right_class(self) -> None:
        self.limn.create_dataset("errors")
        with self.assertRaises(ConflictError):
            self.limn.create_dataset("errors")
        with self.assertRaises(NotFoundError):
            self.limn.dataset("nowhere")
        with self.assertRaises(UnauthorizedError) as caught:
            Limn(token="limn_" + "x" * 43).username()
        self.assertEqual(caught.exception.status, 401)
        broken = self.folder / "broken.json"
        broken.write_text('{"images": [], "annotations": [{"id": 1, "image_id": ')
        with self.assertRaises(TaskFailedError) as failed:
            self.limn.dataset("errors").import_annotations(broken)
        self.assertIn("cannot be read as COCO", "\n".join(failed.exception.log))
        with self.assertRaises(UnreachableError):
            Limn("http://127.0.0.1:9", tries=2, first_pause=0.001).datasets()


if __name__ == "__main__":
    unittest.main()
