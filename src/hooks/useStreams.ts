import { createContext, useContext } from 'react'
import type { Streams } from '../../streams/index.ts'

const StreamsContext = createContext<Streams | null>(null)

export const StreamsProvider = StreamsContext.Provider

/** For the shell, which renders before the streams are loaded. */
export const useStreamsIfReady = (): Streams | null => useContext(StreamsContext)

/** Everything the app can subscribe to. */
export function useStreams(): Streams {
  const streams = useContext(StreamsContext)
  if (!streams) throw new Error('useStreams outside of StreamsProvider')
  return streams
}
