import { exchangeNames } from '/work/wt/feeds/server/feed/live/exchanges.ts'
import { driveLiveFeed } from '/work/wt/feeds/tests/scenarios/liveFeed.ts'
const [n, from, only] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 0), process.argv[4]]
for (const ex of exchangeNames) {
  if (only && only !== ex) continue
  const t = Date.now(); let broken = 0, gaps = 0, ticks = 0, scripts = 0; const shown: string[] = []
  for (let i = 0; i < n; i++) { const f = await driveLiveFeed(ex, from + i); gaps += f.gaps; ticks += f.ticks; if (f.violations.length) { scripts++; broken += f.violations.length; if (shown.length < 6) shown.push(f.violations[0]!) } }
  console.log(ex, n, 'scripts', scripts, 'with violations', broken, 'gaps', gaps, 'ticks', ticks, Date.now() - t, 'ms'); for (const s of shown) console.log('   ', s.slice(0, 700))
}
