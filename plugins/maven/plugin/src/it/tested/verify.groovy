// The command is one that prints its arguments.
String log = new File(basedir, "build.log").getText("UTF-8")
String arguments = log.readLines().find { it.startsWith("[INFO] java target/classes ") }
assert arguments.contains(" --source src/main/java ")
assert arguments.contains(" --confirm=20s --clients target/test-classes ")
assert arguments =~ / --clients \S+junit-jupiter-api-\S+\.jar /
assert !arguments.contains("--library")
assert arguments.endsWith(" --deadlocks --jobs 2")
