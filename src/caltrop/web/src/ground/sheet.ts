/** A table in the form that the painter gets: everything that stays for the whole game, without pieces. */
import type { Picture } from "../wire/types";
import type { Sheet } from "./plan.ts";

export function sheetOf(picture: Picture, turned: boolean): Sheet {
  return {
    width: picture.width,
    height: picture.height,
    land: picture.land,
    seed: picture.seed,
    turned,
    grounds: picture.grounds.map(({ name, kind, outline }) => ({ name, kind, outline })),
    spots: picture.spots
      .filter((spot) => spot.kind === "objective")
      .map(({ name, at, radius }) => ({ name, at, radius })),
  };
}

/** Draw a painted bitmap on a canvas, and give the canvas the bitmap's size. */
export function show(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}
