// Processor time of a recorded day by the built package, as JSON: by `replayTicks`, played with nobody watching, and played with
// a subscriber of each tick.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { openReplay, parseRecording, replayProduct, replayTicks, virtualClock } from 'uptick/replay'

const recording = parseRecording(gunzipSync(readFileSync(process.argv[2])).toString(), 2)
const ticks = recording.at.length
const dayMs = 86_400_000

/** In seconds. */
async function timeOf(work) {
  const start = process.cpuUsage()
  const heard = await work()
  const { user, system } = process.cpuUsage(start)
  if (heard !== ticks) throw new Error(`${heard} of ${ticks} ticks`)
  return (user + system) / 1e6
}

function plain() {
  const scheduler = virtualClock()
  let heard = 0
  replayTicks(recording, { scheduler }).subscribe(() => heard++)
  scheduler.advanceTo(dayMs)
  return heard
}

async function played(isWatched) {
  const market = openReplay([replayProduct('A', recording)])
  await market.play(0)
  let heard = 1
  if (isWatched) market.streams.run$('A').subscribe(({ values }) => void (heard += values.length / 3))
  await market.play(dayMs)
  const { seq } = market.quote()
  market.close()
  return isWatched ? heard : seq
}

const times = {
  plain: await timeOf(plain),
  alone: await timeOf(() => played(false)),
  watched: await timeOf(() => played(true)),
}
console.log(JSON.stringify({ ticks, ...times }))
