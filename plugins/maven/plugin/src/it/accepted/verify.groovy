String log = new File(basedir, "build.log").getText("UTF-8")
assert log.contains("1 finding is known from the baseline")
assert log.contains("BUILD SUCCESS")
assert new groovy.json.JsonSlurper().parse(new File(basedir, "target/asercheck.sarif")).runs[0].results.isEmpty()
