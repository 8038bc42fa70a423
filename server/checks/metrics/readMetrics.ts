import { Counter, Gauge, type Registry } from 'prom-client'

/** A gauge without labels that is left out of the answer while its value is not known. */
export function optionalGauge(
  register: Registry,
  name: string,
  help: string,
  read: () => Promise<number | null | undefined>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await read()
      if (value === null || value === undefined) this.remove()
      else this.set(value)
    },
  })
  register.registerMetric(gauge)
}

/** A counter without labels whose count is kept elsewhere. */
export function readCounter(register: Registry, name: string, help: string, read: () => number): void {
  const counter = new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
  register.registerMetric(counter)
}

export const inSeconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : ms / 1000
