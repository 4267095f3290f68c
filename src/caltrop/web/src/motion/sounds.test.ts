import { afterEach, describe, expect, it, vi } from "vitest";

import { setSound } from "../lib/settings.svelte";
import { sound, type Sound } from "./sounds";

const ALL: readonly Sound[] = ["move", "down", "shot", "hit", "loss", "die", "card", "note", "turn"];
let made: number[] = [];

/** A fake audio output that records each started source with its time. */
class Air {
  readonly currentTime = 10;
  readonly sampleRate = 100;
  readonly state = "running";
  readonly destination = {};
  private readonly knob = {
    value: 0,
    setValueAtTime(): void {},
    linearRampToValueAtTime(): void {},
    exponentialRampToValueAtTime(): void {},
  };

  private node(): unknown {
    const { knob } = this;
    return {
      gain: knob,
      frequency: knob,
      connect: (to: unknown) => to,
      start: (at: number) => made.push(at),
      stop(): void {},
    };
  }

  createGain = (): unknown => this.node();
  createOscillator = (): unknown => this.node();
  createBufferSource = (): unknown => this.node();
  createBiquadFilter = (): unknown => this.node();
  createBuffer = (): unknown => ({ getChannelData: () => new Float32Array(50) });
}

describe("sounds", () => {
  afterEach(() => {
    setSound(false);
    vi.unstubAllGlobals();
    made = [];
  });

  it("are none until somebody wants them", () => {
    const asked = vi.fn(Air);
    vi.stubGlobal("AudioContext", asked);
    for (const name of ALL) sound(name);
    expect(asked).not.toHaveBeenCalled();
    expect(made).toEqual([]);
  });

  it("are made on the spot, each when it is due, and end with the switch", () => {
    vi.stubGlobal("AudioContext", Air);
    setSound(true);
    for (const name of ALL) {
      made = [];
      sound(name, 200);
      expect(made.length).toBeGreaterThan(0);
      expect(Math.min(...made)).toBeCloseTo(10.2);
    }
    setSound(false);
    made = [];
    sound("shot");
    expect(made).toEqual([]);
  });
});
