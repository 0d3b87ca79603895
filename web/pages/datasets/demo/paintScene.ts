import { type Fruit, type FruitScene, type PlacedFruit, randomOf, SCENE } from "./fruitScene";

type Context = OffscreenCanvasRenderingContext2D;

/** Colours of a fruit: light, middle and dark. */
const SKINS: Record<Fruit, readonly (readonly [string, string, string])[]> = {
  apple: [
    ["#ff9a8a", "#d8262f", "#7d0c18"],
    ["#e8f2a0", "#8fb93a", "#40661a"],
  ],
  orange: [["#ffd08a", "#f38a1c", "#a84d08"]],
  pear: [
    ["#f0f0a8", "#b9c04a", "#6a7420"],
    ["#f5dc98", "#cf9f45", "#7a5518"],
  ],
  banana: [["#fff2a6", "#f2c92e", "#a97a12"]],
};
const TABLES = [
  ["#b98a5e", "#8f633b"],
  ["#56708c", "#32475e"],
  ["#d9d4c7", "#b3ab98"],
] as const;

/** Paints a scene. Returns it as a JPEG. */
export async function paintScene(scene: FruitScene): Promise<Blob> {
  const canvas = new OffscreenCanvas(SCENE.width, SCENE.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot draw images.");
  const random = randomOf(scene.seed + 1000);
  paintTable(context, scene.table, random);
  for (const fruit of scene.fruit) paintShadow(context, fruit);
  for (const fruit of scene.fruit) paintFruit(context, fruit, random);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.88 });
}

function paintTable(context: Context, table: number, random: () => number): void {
  const { width, height } = SCENE;
  const [light, dark] = TABLES[table] ?? TABLES[0];
  const shade = context.createLinearGradient(0, 0, width * 0.4, height);
  shade.addColorStop(0, light);
  shade.addColorStop(1, dark);
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  for (let i = 0; i < 260; i++) {
    const y = random() * height;
    context.strokeStyle = random() < 0.5 ? "rgb(0 0 0 / 7%)" : "rgb(255 255 255 / 6%)";
    context.lineWidth = 0.5 + random() * 2;
    context.beginPath();
    if (table === 1) weave(context, random() < 0.5, random);
    else {
      context.moveTo(0, y);
      context.bezierCurveTo(
        width / 3,
        y + random() * 16 - 8,
        width / 1.5,
        y + random() * 16 - 8,
        width,
        y + random() * 8,
      );
    }
    context.stroke();
  }
  const corner = context.createRadialGradient(width / 2, height / 2, height / 2, width / 2, height / 2, width * 0.7);
  corner.addColorStop(0, "rgb(0 0 0 / 0%)");
  corner.addColorStop(1, "rgb(0 0 0 / 28%)");
  context.fillStyle = corner;
  context.fillRect(0, 0, width, height);
}

/** Adds a thread of a cloth, along or across. */
function weave(context: Context, isAlong: boolean, random: () => number): void {
  const at = Math.floor(random() * 80) * 12;
  context.moveTo(isAlong ? 0 : at, isAlong ? at : 0);
  context.lineTo(isAlong ? SCENE.width : at, isAlong ? at : SCENE.height);
}

function tracePath(context: Context, { ring }: PlacedFruit): void {
  context.beginPath();
  for (let i = 0; i < ring.length; i += 2) context.lineTo(ring[i]!, ring[i + 1]!);
  context.closePath();
}

function paintShadow(context: Context, fruit: PlacedFruit): void {
  context.save();
  context.shadowColor = "rgb(0 0 0 / 55%)";
  context.shadowBlur = 22;
  context.shadowOffsetX = 10;
  context.shadowOffsetY = 16;
  tracePath(context, fruit);
  context.fill();
  context.restore();
}

function paintFruit(context: Context, fruit: PlacedFruit, random: () => number): void {
  const { kind, x, y, size, shade } = fruit;
  const skins = SKINS[kind];
  const [light, middle, dark] = skins[Math.floor(shade * skins.length)] ?? skins[0]!;
  const reach = kind === "banana" ? 1.9 : 1.5;
  const gradient = context.createRadialGradient(x - size * 0.35, y - size * 0.4, size * 0.05, x, y, size * reach);
  gradient.addColorStop(0, light);
  gradient.addColorStop(0.4, middle);
  gradient.addColorStop(1, dark);
  context.save();
  tracePath(context, fruit);
  context.fillStyle = gradient;
  context.fill();
  context.clip();
  for (let i = 0; i < 140; i++) {
    context.fillStyle = random() < 0.5 ? "rgb(255 255 255 / 9%)" : "rgb(60 20 0 / 9%)";
    context.beginPath();
    context.arc(x + (random() - 0.5) * size * 3, y + (random() - 0.5) * size * 3, 0.6 + random() * 1.6, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
  if (kind === "apple" || kind === "pear") paintStem(context, fruit);
}

function paintStem(context: Context, { kind, x, y, size, angle }: PlacedFruit): void {
  const top = kind === "apple" ? -0.76 : -1.24;
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.strokeStyle = "#4a3320";
  context.lineWidth = size * 0.08;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(0, size * (top + 0.06));
  context.quadraticCurveTo(size * 0.02, size * (top - 0.1), size * 0.12, size * (top - 0.2));
  context.stroke();
  context.restore();
}
