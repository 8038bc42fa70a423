/** What the page records of its connection to the venue; see {@link watchSocket}. */
export type Line = {
  /** Products subscribed on the open connection. */
  watched: Set<string>
  frames: number
  opened: number
}

declare global {
  var line: Line
}

/**
 * Runs in the page before its own scripts. The page's monotonic clock runs as fast as the venue's. Its timers do not,
 * because the timeout for a silent venue would become 60 ms, which a busy machine exceeds. Messages are recorded,
 * because only they show what the app is still subscribed to.
 */
export function watchSocket(speed: number): void {
  const realNow = performance.now.bind(performance)
  performance.now = () => realNow() * speed
  const line: Line = (globalThis.line = { watched: new Set(), frames: 0, opened: 0 })
  const send = Reflect.get(WebSocket.prototype, 'send')
  const count = ({ data }: MessageEvent): void => {
    if (typeof data === 'string' && data.startsWith('42["delta"')) line.frames += 1
  }
  WebSocket.prototype.send = function (data) {
    if (data === '40' || (typeof data === 'string' && data.startsWith('40{'))) {
      line.watched.clear()
      line.opened += 1
      this.addEventListener('message', count)
    }
    const request = typeof data === 'string' ? /^42\d*(\["(?:un)?subscribe",.*)$/.exec(data)?.[1] : undefined
    if (request !== undefined) {
      const [name, { products }] = JSON.parse(request) as [string, { products: string[] }]
      for (const id of products) {
        if (name === 'subscribe') line.watched.add(id)
        else line.watched.delete(id)
      }
    }
    send.call(this, data)
  }
}
