/** A few synthesised sounds, off by default. */
import { soundOn } from "../lib/settings.svelte";

export type Sound = "move" | "down" | "shot" | "hit" | "loss" | "die" | "card" | "note" | "turn";

let air: AudioContext | null = null;

/** Make a sound after some milliseconds. Does nothing if the browser has no sound. */
export function sound(name: Sound, after = 0): void {
  if (typeof AudioContext === "undefined" || !soundOn()) return;
  air ??= new AudioContext();
  if (air.state === "suspended") void air.resume();
  const at = air.currentTime + after / 1000;
  if (name === "move") hiss(air, at, "lowpass", 420, 0.06, 60, 160);
  else if (name === "down") tone(air, at, "sine", 90, 60, 0.35, 4, 60);
  else if (name === "shot") {
    hiss(air, at, "lowpass", 900, 0.3, 3, 160);
    tone(air, at, "triangle", 140, 45, 0.3, 3, 160);
  } else if (name === "hit") tone(air, at, "triangle", 180, 70, 0.25, 3, 110);
  else if (name === "loss") {
    hiss(air, at, "lowpass", 500, 0.35, 5, 420);
    tone(air, at, "sine", 80, 38, 0.3, 5, 360);
  } else if (name === "die") for (const i of [0, 1, 2]) hiss(air, at + i * 0.028, "bandpass", 2600, 0.16, 2, 35);
  else if (name === "card") hiss(air, at, "bandpass", 1400, 0.12, 40, 80);
  else {
    tone(air, at, "sine", 587, 587, 0.16, 10, 220);
    if (name === "turn") tone(air, at + 0.16, "sine", 784, 784, 0.16, 10, 260);
  }
}

function envelope(into: AudioContext, at: number, gain: number, attack: number, decay: number): GainNode {
  const node = into.createGain();
  node.gain.setValueAtTime(0, at);
  node.gain.linearRampToValueAtTime(gain, at + attack / 1000);
  node.gain.exponentialRampToValueAtTime(0.0001, at + (attack + decay) / 1000);
  node.connect(into.destination);
  return node;
}

function tone(
  into: AudioContext,
  at: number,
  type: OscillatorType,
  from: number,
  to: number,
  gain: number,
  attack: number,
  decay: number,
): void {
  const source = into.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + (attack + decay) / 1000);
  source.connect(envelope(into, at, gain, attack, decay));
  source.start(at);
  source.stop(at + (attack + decay) / 1000 + 0.02);
}

let noise: AudioBuffer | null = null;

function hiss(
  into: AudioContext,
  at: number,
  type: BiquadFilterType,
  frequency: number,
  gain: number,
  attack: number,
  decay: number,
): void {
  if (noise === null) {
    noise = into.createBuffer(1, into.sampleRate / 2, into.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const source = into.createBufferSource();
  source.buffer = noise;
  const filter = into.createBiquadFilter();
  filter.type = type;
  filter.frequency.value = frequency;
  source.connect(filter).connect(envelope(into, at, gain, attack, decay));
  source.start(at);
  source.stop(at + (attack + decay) / 1000 + 0.02);
}
