import { join } from "node:path";
import ts from "typescript";

/** Kind of a column's value in its type, without null. `json` is anything that JSON can represent. */
export type ValueKind = "number" | "string" | "boolean" | "date" | "numbers" | "json";

export interface TypedColumn {
  /** Kinds that the type allows: a union of an object and a number is `json` alone. */
  kind: ValueKind;
  isNullable: boolean;
  /** True if an insert may omit it. */
  isOptional: boolean;
}

const ROOT = join(import.meta.dirname, "../../..");
const PROBE = join(ROOT, "tests/server/db/schemaProbe.ts");
const SOURCE = `
  import type { Insertable, Selectable } from "kysely";
  import type { Schema } from "../../../server/db/schema";
  export type Selected = { [T in keyof Schema]: Selectable<Schema[T]> };
  export type Inserted = { [T in keyof Schema]: Insertable<Schema[T]> };`;

/** Reads the columns of every table from the types of server/db/schema.ts with the TypeScript compiler. */
export function readSchemaTypes(): Map<string, Map<string, TypedColumn>> {
  const program = probeProgram();
  const checker = program.getTypeChecker();
  const probe = program.getSourceFile(PROBE);
  if (!probe) throw new Error("The compiler has not read the probe.");
  const failures = ts.getPreEmitDiagnostics(program, probe);
  if (failures.length > 0) throw new Error(ts.formatDiagnostics(failures, ts.createCompilerHost({})));
  const typeNamed = (name: string) => {
    const statement = probe.statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
    if (!statement) throw new Error(`The probe has no type ${name}.`);
    return checker.getTypeAtLocation(statement);
  };
  const propertiesOf = (type: ts.Type) =>
    type.getProperties().map((symbol) => ({ symbol, name: symbol.name, type: checker.getTypeOfSymbol(symbol) }));
  const inserted = new Map(propertiesOf(typeNamed("Inserted")).map(({ name, type }) => [name, type]));
  return new Map(
    propertiesOf(typeNamed("Selected")).map((table) => [
      table.name,
      new Map(
        propertiesOf(table.type).map(({ name, type }) => [
          name,
          columnOf(checker, type, inserted.get(table.name), name),
        ]),
      ),
    ]),
  );
}

function probeProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tests/tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(ROOT, "tests"));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === PROBE || fileExists(path);
  host.readFile = (path) => (path === PROBE ? SOURCE : readFile(path));
  host.getSourceFile = (path, language, ...more) =>
    path === PROBE ? ts.createSourceFile(path, SOURCE, language) : getSourceFile(path, language, ...more);
  return ts.createProgram({ rootNames: [PROBE], options: { ...options, types: [] }, host });
}

function columnOf(checker: ts.TypeChecker, type: ts.Type, row: ts.Type | undefined, name: string): TypedColumn {
  const members = type.isUnion() ? type.types : [type];
  const values = members.filter((member) => !(member.flags & ts.TypeFlags.Null));
  const given = row?.getProperty(name);
  return {
    kind: kindOf(checker, values),
    isNullable: values.length < members.length,
    isOptional: given !== undefined && (given.flags & ts.SymbolFlags.Optional) !== 0,
  };
}

/** Throws for a union of different scalars, which no column has. */
function kindOf(checker: ts.TypeChecker, types: readonly ts.Type[]): ValueKind {
  const kinds = new Set(types.map((type) => kindOfOne(checker, type)));
  if (kinds.has("json")) return "json";
  const [kind, another] = kinds;
  if (!kind || another) throw new Error(`No column holds ${[...kinds].join(" or ") || "nothing but null"}.`);
  return kind;
}

function kindOfOne(checker: ts.TypeChecker, type: ts.Type): ValueKind {
  if (type.flags & ts.TypeFlags.NumberLike) return "number";
  if (type.flags & ts.TypeFlags.StringLike) return "string";
  if (type.flags & ts.TypeFlags.BooleanLike) return "boolean";
  if (type.symbol?.name === "Date") return "date";
  const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
  return element && element.flags & ts.TypeFlags.NumberLike ? "numbers" : "json";
}
