import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { freePorts } from "./freePort";
import { PATIENCE_MS } from "./patience";
import { newFolder } from "./runFolder";

/** Settings of Limn for a bucket of the tests' S3 server. */
export interface TestBucket {
  STORAGE: string;
  S3_ENDPOINT: string;
}

/** A real S3 server on this machine. */
export interface S3Server {
  endpoint: string;
  /** Returns the settings of a new, empty bucket. */
  makeBucket(): Promise<TestBucket>;
  stop(): Promise<void>;
}

/** The key of the S3 server, as settings of Limn. */
export const S3_KEY = {
  AWS_ACCESS_KEY_ID: "limn:limn",
  AWS_SECRET_ACCESS_KEY: "limn-secret",
  // The tests of Limn say which versions of Node it supports.
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

/**
 * The program that starts an S3 server: `PROGRAM FOLDER PORT`, with the key "limn:limn" and the secret "limn-secret".
 * Undefined if there is none.
 */
export const s3Program = (): string | undefined =>
  [process.env.S3_SERVER, "../shared/tools/s3-server"].find((path) => path && existsSync(path));

/** The program uses its port and the four after it. */
const PORTS = 5;

/** Starts the S3 server, and sets the key in the environment of this process. */
export async function startS3(program: string): Promise<S3Server> {
  Object.assign(process.env, S3_KEY);
  const port = await freePorts(PORTS);
  const endpoint = `http://127.0.0.1:${port}`;
  const server = spawn(program, [newFolder("s3"), String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const end = () => void server.kill("SIGTERM");
  process.once("exit", end);
  await untilReady(server);
  return {
    endpoint,
    async makeBucket() {
      const bucket = `limn-${randomUUID()}`;
      const client = new S3Client({ region: "us-east-1", endpoint, forcePathStyle: true, maxAttempts: 1 });
      await untilPartsReady(() => client.send(new CreateBucketCommand({ Bucket: bucket })));
      await untilPartsReady(() =>
        client.send(new PutObjectCommand({ Bucket: bucket, Key: "first", Body: Buffer.from("x") })),
      );
      client.destroy();
      return { STORAGE: `s3://${bucket}/some/prefix`, S3_ENDPOINT: endpoint };
    },
    async stop() {
      process.off("exit", end);
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * Repeats a request until the parts behind the server's proxy, which start after it, are ready. The client's own
 * repetitions wait up to 20 seconds.
 */
async function untilPartsReady(send: () => Promise<unknown>): Promise<void> {
  for (const start = Date.now(); ; await wait(100)) {
    try {
      return void (await send());
    } catch (error) {
      if (Date.now() - start > PATIENCE_MS) throw error;
    }
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the S3 server ended with ${code}`)));
    server.stdout?.on("data", (text) => String(text).includes("ready") && resolve());
  });
}
