type Entry = readonly number[];

/** A heap of entries, ordered by their first number and then by the others. */
export class Heap {
  private readonly entries: Entry[] = [];

  push(entry: Entry): void {
    const all = this.entries;
    let i = all.length;
    all.push(entry);
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (!before(entry, all[up]!)) break;
      all[i] = all[up]!;
      i = up;
    }
    all[i] = entry;
  }

  pop(): Entry | null {
    const all = this.entries;
    const first = all[0];
    const last = all.pop();
    if (first === undefined || last === undefined) return null;
    if (all.length === 0) return first;
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      if (down >= all.length) break;
      if (down + 1 < all.length && before(all[down + 1]!, all[down]!)) down++;
      if (!before(all[down]!, last)) break;
      all[i] = all[down]!;
      i = down;
    }
    all[i] = last;
    return first;
  }
}

function before(a: Entry, b: Entry): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}
