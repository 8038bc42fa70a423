// Preloaded into a command: at its end it writes its processor time in seconds, without Node's own start, and its memory in MB
// then and at most, as a last line of JSON.
const start = process.cpuUsage()
process.on('exit', () => {
  const { user, system } = process.cpuUsage(start)
  const memory = process.memoryUsage.rss() / 1024 / 1024
  const memoryMax = process.resourceUsage().maxRSS / 1024
  process.stderr.write(`${JSON.stringify({ seconds: (user + system) / 1e6, memory, memoryMax })}\n`)
})
