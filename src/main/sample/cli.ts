import { startSampleService } from './service.ts'

// scripts/sample-service.mjs runs this file and has validated the numbers.
const [port, websites, rate] = process.argv.slice(2, 5).map(Number)
const [key, file] = process.argv.slice(5)

try {
  const { address, apiKey, close } = await startSampleService({
    ...(port !== undefined && { port }),
    ...(websites !== undefined && { websites }),
    ...(rate !== undefined && { rate }),
    ...(key && { key }),
    ...(file && { file }),
  })
  console.log(`Service address: ${address}\nAPI key: ${apiKey}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void close())
} catch (error) {
  console.error(`The sample service can't start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
