/** Paints the ground of a table as a small picture that many frames share. */
import { painted as paintedGround } from "../ground/painter";
import { sheetOf } from "../ground/sheet";
import { gridOf } from "../lib/hexes";
import { painted as paintedMap } from "../map/painted";
import { planOf } from "../map/plan";
import type { Picture, Point } from "../wire/types";

/** Smallest width in pixels at which a map of hexes is painted. */
const MAP = 512;

/**
 * Return the address of a picture of a table's ground.
 *
 * @param wide Width in pixels at which it is viewed.
 * @throws Error if it cannot be painted.
 */
export async function printOf(picture: Picture, wide: number, night: boolean): Promise<string> {
  const grid = gridOf(picture);
  if (grid !== null) {
    const put = (p: Point): Point => [p[0], picture.height - p[1]];
    return paintedMap({ of: "map", wide: MAP, plan: planOf(picture, grid, put, night) });
  }
  const sheet = sheetOf(picture, false);
  const k = wide / sheet.width;
  const { bitmap } = await paintedGround(sheet, {
    left: 0,
    top: 0,
    k,
    wide,
    high: Math.round(sheet.height * k),
    density: 1,
    dark: night,
  });
  const drawing = new OffscreenCanvas(bitmap.width, bitmap.height);
  drawing.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  return URL.createObjectURL(await drawing.convertToBlob({ type: "image/jpeg", quality: 0.9 }));
}
