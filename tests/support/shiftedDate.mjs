// Preloaded into a process (`--import URL?aheadMs=60000`), and so into each of its threads: its system clock is ahead by that much.
const aheadMs = Number(new URL(import.meta.url).searchParams.get('aheadMs'))
const SystemDate = Date
const systemNow = Date.now
const now = () => systemNow() + aheadMs

SystemDate.now = now
globalThis.Date = new Proxy(SystemDate, {
  apply: () => new SystemDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
})
