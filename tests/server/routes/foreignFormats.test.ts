import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toRle } from "../../../shared/coco/rle";
import { type CocoFile, exportOf, importFile, runQueuedTask, seedImages } from "../../support/coco";
import { openEither, type TestDatabase } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import { zipOf } from "../../support/zips";

const [WIDTH, HEIGHT] = [200, 100];

/** A file as a tool writes it, the dataset's images, and the expected import. */
interface Foreign {
  paths: string[];
  file: Record<string, string | Uint8Array> | CocoFile | string;
  /** Path, category and box of each annotation. */
  boxes: [path: string, category: string, ...bbox: number[]][];
  /** The segmentation of each, where relevant. */
  outlines?: (number[][] | undefined)[];
  skipped?: Record<string, number>;
  images?: Record<string, number>;
}

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));

const voc = (filename: string, objects: string, more = "") =>
  `<annotation>${more}<filename>${filename}</filename><size><width>${WIDTH}</width><height>${HEIGHT}</height><depth>3</depth></size>${objects}</annotation>`;
const object = (name: string, [xmin, ymin, xmax, ymax]: (number | string)[], more = "") =>
  `<object><name>${name}</name>${more}<bndbox><xmin>${xmin}</xmin><ymin>${ymin}</ymin><xmax>${xmax}</xmax><ymax>${ymax}</ymax></bndbox></object>`;
const outlined = (name: string, inner: string) => `<object><name>${name}</name>${inner}</object>`;
const numbered = (...numbers: number[]) =>
  `<polygon>${numbers.map((value, i) => `<${"xy"[i % 2]}${(i >> 1) + 1}>${value}</${"xy"[i % 2]}${(i >> 1) + 1}>`).join("")}</polygon>`;
const pts = (...numbers: number[]) =>
  `<polygon><username>me</username>${numbers.map((value, i) => (i % 2 ? `<y>${value}</y></pt>` : `<pt><x>${value}</x>`)).join("")}</polygon>`;

const YOLO: Record<string, Foreign> = {
  "Ultralytics: images beside labels, names as a dict, a path of its own, CRLF, blank lines, empty files": {
    paths: ["train/a.jpg", "val/b.JPG", "val/c.png"],
    file: {
      "coco8.yaml":
        "# COCO8 \r\npath: ../datasets/coco8 # root\r\ntrain: images/train\r\nval: images/val\r\ntest:\r\n\r\nnames:\r\n  0: person\r\n  7: 'traffic light'\r\n\r\ndownload: https://example.org/x.zip\r\n",
      "coco8/images/train/a.jpg": "no image",
      "coco8/labels/train/a.txt": "7 0.5 0.5 0.2 0.4\r\n\r\n  0 0.25 0.5 0.5 1.0  \r\n\r\n",
      "coco8/labels/val/b.txt": "0 0.500000 0.500000 0.100000 0.100000",
      "coco8/labels/val/c.txt": "",
      "coco8/labels/train.cache": "binary",
      "coco8/LICENSE": "text",
      "coco8/README.md": "text",
    },
    boxes: [
      ["train/a.jpg", "traffic light", 80, 30, 40, 40],
      ["train/a.jpg", "person", 0, 0, 100, 100],
      ["val/b.JPG", "person", 90, 45, 20, 10],
    ],
  },
  "Roboflow: train, valid and test with a hash in the name, names as a list, notes beside": {
    paths: ["img_jpg.rf.0a1b2c.jpg", "two_png.rf.ffff.jpg"],
    file: {
      "data.yaml":
        "train: ../train/images\nval: ../valid/images\ntest: ../test/images\n\nnc: 2\nnames: ['cat', 'dög']\n\nroboflow:\n  workspace: w\n  version: 1\n",
      "README.dataset.txt": "# hello\nprovided by somebody",
      "README.roboflow.txt": "1 2 3",
      "train/labels/img_jpg.rf.0a1b2c.txt": "1 0.5 0.5 0.2 0.4\n",
      "train/images/img_jpg.rf.0a1b2c.jpg": "x",
      "valid/labels/two_png.rf.ffff.txt": "0 0.1 0.1 0.3 0.1 0.3 0.3 0.1 0.3",
    },
    boxes: [
      ["img_jpg.rf.0a1b2c.jpg", "dög", 80, 30, 40, 40],
      ["two_png.rf.ffff.jpg", "cat", 20, 10, 40, 20],
    ],
  },
  "CVAT, YOLO 1.1: obj.data, obj.names, train.txt, labels beside images, folders kept": {
    paths: ["a.jpg", "night/b.jpg"],
    file: {
      "obj.data": "classes = 2\ntrain = data/train.txt\nnames = data/obj.names\nbackup = backup/\n",
      "obj.names": "cat\ndog\n",
      "train.txt": "data/obj_train_data/a.jpg\ndata/obj_train_data/night/b.jpg\n",
      "obj_train_data/a.txt": "0 0.5 0.5 0.2 0.4\n",
      "obj_train_data/night/b.txt": "1 0.5 0.5 0.2 0.4\n",
    },
    boxes: [
      ["a.jpg", "cat", 80, 30, 40, 40],
      ["night/b.jpg", "dog", 80, 30, 40, 40],
    ],
  },
  "CVAT, Ultralytics YOLO: a data.yaml with lists of files, labels by subset": {
    paths: ["default/a.jpg"],
    file: {
      "data.yaml": "names:\n  0: cat\npath: .\ntrain: train.txt\n",
      "train.txt": "data/images/train/default/a.jpg\n",
      "labels/train/default/a.txt": "0 0.500000 0.500000 0.200000 0.400000\n",
    },
    boxes: [["default/a.jpg", "cat", 80, 30, 40, 40]],
  },
  "labelImg: classes.txt beside the labels": {
    paths: ["IMG 0001.jpeg", "日本.png"],
    file: {
      "classes.txt": "dog\nperson\ncat\n",
      "IMG 0001.txt": "2 0.500000 0.500000 0.200000 0.400000\n",
      "日本.txt": "1 0.5 0.5 0.2 0.4\n",
    },
    boxes: [
      ["IMG 0001.jpeg", "cat", 80, 30, 40, 40],
      ["日本.png", "person", 80, 30, 40, 40],
    ],
  },
  "Label Studio: classes.txt, notes.json, a prefix before the name that the image has too": {
    paths: ["1a2b3c4d-a.jpg"],
    file: {
      "classes.txt": "Car\nPlane",
      "notes.json": '{"categories":[{"id":0,"name":"Car"}],"info":{}}',
      "labels/1a2b3c4d-a.txt":
        "1 0.5 0.5 0.19999999999999996 0.4\n0 0.4 0.3 0.6000000000000001 0.3 0.6 0.7 0.4 0.7 0.4 0.3",
    },
    boxes: [
      ["1a2b3c4d-a.jpg", "Plane", 80, 30, 40, 40],
      ["1a2b3c4d-a.jpg", "Car", 80, 30, 40, 40],
    ],
  },
  "Windows: backslashes in the zip's names, a mark before the text, UTF-16": {
    paths: ["train/a.jpg", "b.jpg"],
    file: {
      "set\\data.yaml": "\ufeffnames: [cat]\r\n",
      "set\\labels\\train\\a.txt": "\ufeff0 0.5 0.5 0.2 0.4\r\n",
      "set\\labels\\b.txt": utf16("0 0.5 0.5 0.2 0.4\r\n"),
    },
    boxes: [
      ["train/a.jpg", "cat", 80, 30, 40, 40],
      ["b.jpg", "cat", 80, 30, 40, 40],
    ],
  },
  "images taken in with the zip's own folders, the same names in each part": {
    paths: [
      "set/images/train/1.jpg",
      "set/images/val/1.jpg",
      "test/images/2.jpg",
      "valid/images/2.jpg",
      "x/3.jpg",
      "y/3.jpg",
    ],
    file: {
      "data.yaml": "names: [cat]",
      "set/labels/train/1.txt": "0 0.5 0.5 0.2 0.4",
      "set/labels/val/1.txt": "0 0.5 0.5 0.4 0.2",
      "top/test/labels/2.txt": "0 0.5 0.5 0.1 0.1",
      "top/valid/labels/2.txt": "0 0.5 0.5 0.2 0.1",
      "top/x/labels/3.txt": "0 0.5 0.5 0.2 0.2",
    },
    boxes: [
      ["set/images/train/1.jpg", "cat", 80, 30, 40, 40],
      ["set/images/val/1.jpg", "cat", 60, 40, 80, 20],
      ["test/images/2.jpg", "cat", 90, 45, 20, 10],
      ["valid/images/2.jpg", "cat", 80, 45, 40, 10],
      ["x/3.jpg", "cat", 80, 40, 40, 20],
    ],
  },
  "CVAT with folders of images of the same name": {
    paths: ["day/a.jpg", "night/a.jpg"],
    file: {
      "obj.names": "cat",
      "obj_train_data/day/a.txt": "0 0.5 0.5 0.2 0.4",
      "obj_Validation_data/night/a.txt": "0 0.5 0.5 0.4 0.2",
    },
    boxes: [
      ["day/a.jpg", "cat", 80, 30, 40, 40],
      ["night/a.jpg", "cat", 60, 40, 80, 20],
    ],
  },
  "capitals in the names of files and folders": {
    paths: ["a.jpg"],
    file: {
      "Data.YAML": "names: [cat]",
      "Labels/Train/A.TXT": "0 0.5 0.5 0.2 0.4",
      "Labels/Train/a.TXT": "0 0.5 0.5 0.2 0.4",
    },
    boxes: [["a.jpg", "cat", 80, 30, 40, 40]],
    skipped: { "its image: not in the dataset": 1 },
  },
  "the same name in two folders, and shares a little outside": {
    paths: ["one/a.jpg", "two/a.jpg"],
    file: {
      "data.yaml": "names: [cat]",
      "labels/one/a.txt": "0 0.5 0.5 1.0000001 1\n0 0.75 0.5 0.75 0.5\n",
      "labels/two/a.txt": "3 0.5 0.5 0.2 0.4\n0 -0.004 0 1.004 0 1 1.002 0 1\n",
      "labels/train/a.txt": "0 0.5 0.5 0.2 0.4",
    },
    boxes: [
      ["one/a.jpg", "cat", 0, 0, 200, 100],
      ["one/a.jpg", "cat", 75, 25, 125, 50],
      ["two/a.jpg", "cat", 0, 0, 200, 100],
    ],
    skipped: { "its category is not in the file, or cannot be used": 1, "its image: ambiguous file name": 1 },
  },
  "oriented boxes are outlines of four points": {
    paths: ["a.jpg"],
    file: { "data.yaml": "names: [ship]", "labels/a.txt": "0 0.5 0.2 0.6 0.5 0.5 0.8 0.4 0.5" },
    // Box of the mask's pixels.
    boxes: [["a.jpg", "ship", 80, 21, 40, 58]],
  },
  "poses of which nothing is said": {
    paths: ["a.jpg"],
    file: { "data.yaml": "names: [p]", "labels/a.txt": "0 0.5 0.5 0.4 0.4 0.4 0.4 2 0.6 0.6 1\n0 0.5 0.5 0.2 0.4" },
    boxes: [["a.jpg", "p", 80, 30, 40, 40]],
    skipped: {
      'could be a box with keypoints as well as an outline. If it is a pose, add the line "kpt_shape: [2, 3]" to the data.yaml in the zip, and import again': 1,
    },
  },
};

const VOC: Record<string, Foreign> = {
  "the benchmark itself: parts, segmented, attributes, ImageSets beside": {
    paths: ["2007_000027.jpg"],
    file: {
      "VOCdevkit/VOC2012/Annotations/2007_000027.xml": voc(
        "2007_000027.jpg",
        object(
          "person",
          [21, 11, 60, 50],
          "<part><name>head</name><bndbox><xmin>25</xmin><ymin>11</ymin><xmax>30</xmax><ymax>20</ymax></bndbox></part><pose>Left</pose><difficult>0</difficult>",
        ),
        "<folder>VOC2012</folder><source><database>d</database></source><segmented>1</segmented>",
      ),
      "VOCdevkit/VOC2012/ImageSets/Main/train.txt": "2007_000027\n",
      "VOCdevkit/VOC2012/ImageSets/Main/person_train.txt": "2007_000027  1\n",
      "VOCdevkit/VOC2012/SegmentationClass/2007_000027.png": "x",
    },
    boxes: [["2007_000027.jpg", "person", 20, 10, 40, 40]],
  },
  "labelImg: verified, an absolute Windows path, one object and none": {
    paths: ["a b.jpg", "none.png"],
    file: {
      "a b.xml": `<annotation verified="yes">\r\n<folder>x</folder><path>C:\\Users\\x\\a b.jpg</path><filename>a b.jpg</filename>\r\n<segmented>0</segmented>${object("cat", [1, 1, 200, 100])}</annotation>`,
      "none.xml": voc("none.png", ""),
    },
    boxes: [["a b.jpg", "cat", 0, 0, 200, 100]],
  },
  "Roboflow and CVAT: XML beside the images, floats, from 0, a space in the tag's text, letters of the world": {
    paths: ["train/é.jpg", "train/f.jpg"],
    file: {
      "train/é.xml": `\ufeff<?xml version="1.0" encoding="utf-8"?>${voc("é.jpg", object(" Straßenbahn &amp; Bus ", [21.5, 11.25, "60.50", "5.05e1"]))}`,
      "train/f.xml": voc("f.jpg", object("cat", [0, 0, 200, 100])),
      "train/_classes.csv": "x",
    },
    boxes: [
      ["train/é.jpg", "Straßenbahn & Bus", 20.5, 10.25, 40, 40.25],
      ["train/f.jpg", "cat", 0, 0, 200, 100],
    ],
  },
  "no size, sizes of 0, no file name, ending in capitals, a name in another encoding": {
    paths: ["a.JPG", "b.jpg", "c.jpg", "d.jpg"],
    file: {
      "Annotations/a.xml": `<annotation><filename>a</filename>${object("cat", [21, 11, 60, 50])}</annotation>`,
      "Annotations/b.XML": `<annotation><size><width>0</width><height>0</height></size>${object("cat", [21, 11, 60, 50])}</annotation>`,
      "Annotations/c.xml": new Uint8Array(
        Buffer.from(
          `<?xml version='1.0' encoding='ISO-8859-1'?>${voc("c.jpg", object("Bär", [21, 11, 60, 50]))}`,
          "latin1",
        ),
      ),
      "Annotations/d.xml": voc(
        "d.jpg",
        object("cat", [60, 11, 21, 50]) + object("", [1, 1, 5, 5]) + object("cat", [1, 1, 500, 5]),
      ),
    },
    boxes: [
      ["a.JPG", "cat", 20, 10, 40, 40],
      ["b.jpg", "cat", 20, 10, 40, 40],
      ["c.jpg", "Bär", 20, 10, 40, 40],
    ],
    skipped: {
      "has a box without width or height": 1,
      "has no name": 1,
      "has coordinates outside the image": 1,
    },
  },
  "Roboflow and supervision: outlines of numbered points beside boxes, some with a box alone": {
    paths: ["a_jpg.rf.0f.jpg"],
    file: {
      "train/a_jpg.rf.0f.xml": voc(
        "a_jpg.rf.0f.jpg",
        object("cat", [81, 31, 120, 70], numbered(81, 31, 121, 31, 121, 71.5)) + object("dog", [21, 11, 60, 50]),
        "<folder/><path>a_jpg.rf.0f.jpg</path><source><database>roboflow.com</database></source>",
      ),
    },
    boxes: [
      ["a_jpg.rf.0f.jpg", "cat", 80, 30, 40, 40],
      ["a_jpg.rf.0f.jpg", "dog", 20, 10, 40, 40],
    ],
    outlines: [[[80, 30, 120, 30, 120, 70.5]], undefined],
  },
  "DroneVehicle and ModelArts: outlines without boxes, a name without ending, closed and not": {
    paths: ["DJI_0458.jpg", "b.jpg"],
    file: {
      "trainlabel/DJI_0458.xml": voc("DJI_0458", outlined("feright car", numbered(81, 31, 121, 31, 121, 71, 81, 71))),
      "trainlabel/b.xml": voc("b.jpg", outlined("bike", numbered(81, 31, 121, 31, 81, 71, 81, 31))),
    },
    boxes: [
      ["DJI_0458.jpg", "feright car", 80, 30, 40, 40],
      // Box of a triangle's pixels.
      ["b.jpg", "bike", 80, 30, 39, 39],
    ],
    outlines: [[[80, 30, 120, 30, 120, 70, 80, 70]], [[80, 30, 120, 30, 80, 70, 80, 30]]],
  },
  "LabelMe and CVAT's LabelMe: lists of points from 0, deleted objects, boxes, masks, line breaks in the name": {
    paths: ["night/a.jpg"],
    file: {
      "night/a.xml": `<annotation>\n<filename>\na.jpg\n</filename><folder>night</folder>${[
        outlined("cat", `<deleted>0</deleted><occluded>yes</occluded>${pts(80, 30, 120, 30, 120, 70, 80, 70)}`),
        outlined("cat", `<deleted>1</deleted>${pts(1, 1, 2, 1, 2, 2)}`),
        outlined("dog", `<type>bounding_box</type>${pts(80, 30, 120, 30, 120, 70, 80, 70)}`),
        outlined("pig", "<segm><mask>a_mask_0.png</mask><box><xmin>1</xmin></box></segm>"),
      ].join("\n")}<imagesize><nrows>${HEIGHT}</nrows><ncols>${WIDTH}</ncols></imagesize></annotation>`,
    },
    boxes: [
      ["night/a.jpg", "cat", 80, 30, 40, 40],
      ["night/a.jpg", "dog", 80, 30, 40, 40],
    ],
    outlines: [[[80, 30, 120, 30, 120, 70, 80, 70]], undefined],
    skipped: { "is marked as deleted in the file": 1, "has neither bndbox nor polygon": 1 },
  },
  "names with folders, written by Windows, of XML files that lie together": {
    paths: ["day/a.jpg", "night/a.jpg", "c.jpg"],
    file: {
      "Annotations/1.xml": voc("day\\a.jpg", object("cat", [21, 11, 60, 50])),
      "Annotations/2.xml": voc(".\\night\\a.jpg", object("dog", [21, 11, 60, 50])),
      "Annotations/3.xml": voc("D:\\x\\c.jpg", object("pig", [21, 11, 60, 50])),
    },
    boxes: [
      ["day/a.jpg", "cat", 20, 10, 40, 40],
      ["night/a.jpg", "dog", 20, 10, 40, 40],
      ["c.jpg", "pig", 20, 10, 40, 40],
    ],
  },
  "the same name in two folders": {
    paths: ["one/a.jpg", "two/a.jpg"],
    file: {
      "one/a.xml": voc("a.jpg", object("cat", [21, 11, 60, 50])),
      "two/a.xml": voc("a.jpg", object("dog", [21, 11, 60, 50])),
    },
    boxes: [
      ["one/a.jpg", "cat", 20, 10, 40, 40],
      ["two/a.jpg", "dog", 20, 10, 40, 40],
    ],
  },
};

const LETTERS = toRle([0, 1000, WIDTH * HEIGHT - 1000], HEIGHT, WIDTH, true).counts;
const square = [80, 30, 120, 30, 120, 70, 80, 70];
const coco = (
  annotations: unknown[],
  images: unknown[],
  categories: unknown[] = [{ id: 1, name: "cat" }],
): CocoFile => ({
  images,
  annotations,
  categories,
});

const COCO: Record<string, Foreign> = {
  "ids as strings, sizes as floats, windows paths, categories with a name alone": {
    paths: ["a.jpg", "sub/b.jpg"],
    file: coco(
      [
        { id: "x", image_id: "7", category_id: "c", segmentation: [square] },
        {
          id: "x",
          image_id: "8",
          category_id: "c",
          bbox: [80.0, 30.0, 40.0, 40.0],
          segmentation: [],
          area: 1600,
          iscrowd: 0,
        },
      ],
      [
        { id: "7", file_name: "C:\\data\\images\\a.jpg", width: 200.0, height: 100.0 },
        { id: "8", file_name: ".\\sub\\b.jpg" },
      ],
      [{ id: "c", name: "cat" }],
    ),
    boxes: [
      ["a.jpg", "cat", 80, 30, 40, 40],
      ["sub/b.jpg", "cat", 80, 30, 40, 40],
    ],
  },
  "a crowd by numbers and by letters, keypoints without a skeleton, no file name but an address": {
    paths: ["000000000001.jpg"],
    file: coco(
      [
        {
          id: 1,
          image_id: 1,
          category_id: 1,
          iscrowd: 1,
          segmentation: { size: [100, 200], counts: [0, 1000, 19000] },
        },
        { id: 2, image_id: 1, category_id: 1, iscrowd: 0, segmentation: { size: [100, 200], counts: LETTERS } },
        {
          id: 3,
          image_id: 1,
          category_id: 1,
          keypoints: [10, 10, 2, 30, 40, 1],
          num_keypoints: 2,
          bbox: [5, 5, 30, 40],
        },
      ],
      [{ id: 1, coco_url: "http://images.example.org/train2017/000000000001.jpg", height: 100, width: 200 }],
      [{ id: 1, name: "cat", keypoints: ["nose", "tail"] }],
    ),
    boxes: [
      ["000000000001.jpg", "cat", 0, 0, 10, 100],
      ["000000000001.jpg", "cat", 0, 0, 10, 100],
      ["000000000001.jpg", "cat", 5, 5, 30, 40],
    ],
  },
  "ids that come twice, ids of nothing, nulls, text for numbers": {
    paths: ["a.jpg", "b.jpg"],
    file: coco(
      [
        { id: 1, image_id: 1, category_id: 1, segmentation: [square], bbox: null, area: null, iscrowd: null },
        { id: 1, image_id: 1, category_id: 1, segmentation: null, bbox: [1, 2, 3, 4] },
        { id: 2, image_id: 99, category_id: 1, bbox: [1, 2, 3, 4] },
        { id: 3, image_id: 1, category_id: 99, bbox: [1, 2, 3, 4] },
        { id: 4, image_id: 1, category_id: 1, bbox: ["1", "2", "3", "4"] },
        { id: 5, image_id: 1, category_id: 1, segmentation: square },
        { id: 6, image_id: 1, category_id: 1, segmentation: { size: [50, 50], counts: [2500] } },
        { id: 7, category_id: 1, bbox: [1, 2, 3, 4] },
        null,
        [],
      ],
      [
        { id: 1, file_name: "a.jpg", width: 200, height: 100, license: null },
        { id: 1, file_name: "b.jpg" },
        { id: 2, file_name: "b.jpg", width: 999, height: 999 },
        { file_name: "b.jpg" },
      ],
    ),
    boxes: [
      ["a.jpg", "cat", 80, 30, 40, 40],
      ["a.jpg", "cat", 1, 2, 3, 4],
    ],
    skipped: {
      "its image is not in the file": 1,
      "its category is not in the file, or cannot be used": 1,
      "has a bbox that is not four numbers, and no segmentation": 1,
      "segmentation is not a list of lists of numbers": 1,
      "the RLE's size differs from the image's": 1,
      "has no image_id": 1,
      "is not an object": 2,
    },
    images: { "has the same id as an earlier one": 1, "size differs": 1, "has no id": 1 },
  },
  "a mark before the text, CRLF, lists in another order": {
    paths: ["a.jpg"],
    file: `\ufeff{\r\n"categories":[{"id":1,"name":"cat","supercategory":null}],\r\n"annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[80,30,40,40]}],"images":[{"id":1,"file_name":"/data/a.jpg"}]}\r\n`,
    boxes: [["a.jpg", "cat", 80, 30, 40, 40]],
  },
};

describe("files that other tools write", () => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let made = 0;

  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    ann = await server.user("ann");
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  async function dataset(paths: string[]): Promise<number> {
    const id = await seedDataset(server.db, { name: `foreign ${++made}`, ownerId: ann.id });
    await seedImages(
      server,
      id,
      paths.map((file_name) => ({ file_name, width: WIDTH, height: HEIGHT })),
    );
    return id;
  }

  async function boxesOf(datasetId: number): Promise<unknown[]> {
    const { images, categories, annotations } = await exportOf(ann, datasetId);
    return annotations.map(({ image_id, category_id, bbox }) => [
      images.find(({ id }) => id === image_id)?.file_name,
      String(categories.find(({ id }) => id === category_id)?.name).replace(/ \(\d+\)$/, ""),
      ...(bbox as number[]).map((value) => Math.round(value * 1000) / 1000),
    ]);
  }

  async function dryRun(datasetId: number, file: Blob | CocoFile | string) {
    const body = new FormData();
    body.append(
      "coco",
      file instanceof Blob ? file : new Blob([typeof file === "string" ? file : JSON.stringify(file)]),
      "x",
    );
    const started = await ann.request("POST", `dataset/${datasetId}/coco?dry_run=true`, { body });
    expect(started.status, started.text).toBe(200);
    return (await runQueuedTask(server, started.body.id)).row;
  }

  const cases = [YOLO, VOC, COCO].flatMap((list, i) =>
    Object.entries(list).map(([name, foreign]) => [["YOLO", "VOC", "COCO"][i], name, foreign] as const),
  );

  it.each(cases)(
    "%s: %s",
    async (format, _name, { paths, file: given, boxes, outlines, skipped = {}, images = {} }) => {
      const file = format === "COCO" ? (given as CocoFile | string) : await zipOf(given as Record<string, string>);
      const datasetId = await dataset(paths);
      const dry = await dryRun(datasetId, file);
      const { row, report } = await importFile(server, ann, datasetId, file);
      expect([row.state, dry.state], JSON.stringify(report)).toEqual(["done", "done"]);
      expect(report.skipped).toEqual(skipped);
      expect(report.images).toMatchObject(images);
      expect(await boxesOf(datasetId)).toEqual(boxes);
      const { annotations } = await exportOf(ann, datasetId);
      if (outlines) expect(annotations.map(({ segmentation }) => segmentation)).toEqual(outlines);
      const { dry_run: _, file_name: __, categories: ___, ...previewCounts } = dry.result as Record<string, unknown>;
      expect(row.result).toMatchObject(previewCounts);
    },
  );
});
