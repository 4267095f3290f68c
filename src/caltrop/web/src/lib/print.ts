/** Makes a picture file of a table and its result on this computer. */

/** The style properties that a drawing keeps when it leaves the page. */
const LOOK = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "display",
  "visibility",
  "transform",
  "transform-origin",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "paint-order",
  "vector-effect",
  "stop-color",
  "stop-opacity",
];

/** Return a copy of a drawing with its computed styles, and the definitions to which the drawing refers. */
function complete(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [old, made] = [
    [svg, ...svg.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  old.forEach((element, i) => {
    const look = getComputedStyle(element);
    (made[i] as SVGElement).setAttribute(
      "style",
      LOOK.map((name) => `${name}: ${look.getPropertyValue(name)}`).join("; "),
    );
  });
  const needed = new Set(
    [...copy.querySelectorAll("use")].flatMap((use) => /^#(.+)/.exec(use.getAttribute("href") ?? "")?.[1] ?? []),
  );
  const shelf = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  for (const id of needed) {
    const symbol = svg.querySelector(`#${CSS.escape(id)}`) === null ? document.getElementById(id) : null;
    if (symbol !== null) shelf.append(symbol.cloneNode(true));
  }
  copy.prepend(shelf);
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  return new XMLSerializer().serializeToString(copy);
}

function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("The picture cannot be made by this browser"));
    image.src = address;
  });
}

export interface Print {
  title: string;
  lines: readonly string[];
  /** The painted ground below the drawing, if any. */
  under?: readonly HTMLCanvasElement[];
}

const [WIDE, HIGH] = [1200, 630];

/** Return a picture of 1200 by 630 pixels, with the result on the left and the table on the right. */
export async function printed(svg: SVGSVGElement, { title, lines, under = [] }: Print): Promise<Blob> {
  const image = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(complete(svg))}`);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDE, HIGH];
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("The picture cannot be made by this browser");
  pen.fillStyle = "#2b2418";
  pen.fillRect(0, 0, WIDE, HIGH);
  const room = { x: 500, y: 30, wide: WIDE - 530, high: HIGH - 60 };
  const scale = Math.min(room.wide / image.width, room.high / image.height);
  const [wide, high] = [image.width * scale, image.height * scale];
  const [x, y] = [room.x + (room.wide - wide) / 2, room.y + (room.high - high) / 2];
  pen.shadowColor = "#000a";
  pen.shadowBlur = 24;
  pen.fillStyle = "#3a3022";
  pen.fillRect(x, y, wide, high);
  pen.shadowBlur = 0;
  for (const one of under) pen.drawImage(one, x, y, wide, high);
  pen.drawImage(image, x, y, wide, high);
  pen.fillStyle = "#fffdf7";
  pen.font = "700 44px system-ui, sans-serif";
  let at = wrapped(pen, title, 40, 120, 430, 52);
  pen.font = "400 23px system-ui, sans-serif";
  pen.fillStyle = "#e8dfca";
  for (const line of lines) at = wrapped(pen, line, 40, at + 18, 430, 31);
  pen.font = "700 22px system-ui, sans-serif";
  pen.fillStyle = "#ffcf5a";
  pen.fillText("Caltrop", 40, HIGH - 42);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("The picture cannot be made by this browser")) : resolve(blob)),
      "image/png",
    ),
  );
}

/** Draw a text in lines up to a width. Return the height of the next line. */
function wrapped(
  pen: CanvasRenderingContext2D,
  words: string,
  x: number,
  y: number,
  most: number,
  high: number,
): number {
  let line = "";
  for (const word of words.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && pen.measureText(longer).width > most) {
      pen.fillText(line, x, y);
      y += high;
      line = word;
    } else line = longer;
  }
  pen.fillText(line, x, y);
  return y + high;
}
