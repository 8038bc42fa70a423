import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Where `npm run dev` finds the venue; the built client is served by the venue itself. */
const venueOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist/client', manifest: true, target: 'es2022', modulePreload: { polyfill: false } },
  server: {
    proxy: {
      '/api': venueOrigin,
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
