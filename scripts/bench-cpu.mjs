import { writeFileSync } from 'node:fs'

// Loaded into a bench: notes the processor time of its process, in seconds, when it ends.
const target = process.env.LOAM_BENCH_CPU
delete process.env.LOAM_BENCH_CPU
if (target)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeFileSync(target, String((user + system) / 1e6))
  })
