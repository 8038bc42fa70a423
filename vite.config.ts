import react from '@vitejs/plugin-react'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** Where `npm run dev` finds the venue; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

export default defineConfig({
  plugins: [react()],
  // RxJS keeps its modern build behind this name; the default one carries ES5 helpers.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  build: { outDir: 'dist/client', manifest: true, target: 'es2022', modulePreload: { polyfill: false } },
  server: {
    proxy: {
      // The host stays the browser's own: the venue compares it with the origin of what changes something.
      '/api': { target: venueOrigin },
      '/socket.io': { target: venueOrigin, ws: true },
    },
  },
  test: {
    include: ['tests/{contract,streams,src,server}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
